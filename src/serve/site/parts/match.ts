import { html, type Html } from '../html.ts';
import { erasedName, name } from './names.ts';

/** One box of two sides: in a bracket, and in the pairings of a round. */
export interface ShownMatch {
  /** The page of the battle. */
  address: string | undefined;
  /** What the box begins with: its number in the bracket, or its table. */
  lead?: { word: string; number: number } | undefined;
  /** `open`: both players are known, the result is not. `wait`: the players are not known yet. */
  state: 'over' | 'open' | 'wait';
  sides: [MatchSide, MatchSide];
}

export interface MatchSide {
  /** Who plays, or where they come from. */
  who: Html;
  faction?: string | null | undefined;
  outcome?: 'won' | 'lost' | 'drew' | undefined;
  /** Victory points, `w/o`, or the table. */
  score?: Html | string | undefined;
}

/** What a page says about `w/o`. */
export const walkoverKey = '; w/o is a walkover: the opponent did not play.';

export function matchBox({ address, lead, state, sides }: ShownMatch): Html {
  const more = state === 'over' ? '' : ` ${state}`;
  const inside = html`${lead && html`<span class="no"><span class="vh">${lead.word} </span>${lead.number}</span>`}${sides.map(sideLine)}`;
  return address === undefined
    ? html`<div class="match${more}">${inside}</div>`
    : html`<a class="match${more}" href="${address}">${inside}</a>`;
}

/** A link cannot hold links, so these names are none. */
export function playerInMatch(player: string): Html {
  return player === erasedName
    ? html`<span class="clamp gone">${player}</span>`
    : html`<span class="clamp">${name(player)}</span>`;
}

function sideLine({ who, faction, outcome, score }: MatchSide): Html {
  const player = faction ? html`<span>${who}<span class="sub clamp">${name(faction)}</span></span>` : who;
  const spoken = outcome !== undefined && html`<span class="vh">${outcome} </span>`;
  const result = (spoken || score !== undefined) && html` <b>${spoken}${score}</b>`;
  return html`<span class="side${outcome === 'won' && ' won'}">${player}${result}</span>`;
}
