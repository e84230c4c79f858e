import { html, type Html } from '../parts/html.ts';
import { erasedName, name } from '../parts/names.ts';

/** One box of two sides: in a bracket, and in the pairings of a round. */
export interface ShownMatch {
  /** The page of the battle. */
  address: string | undefined;
  /** What the box begins with: its number in the bracket, or its table. */
  lead?: { word: string; number: number } | undefined;
  table?: number | null | undefined;
  /**
   * `open`: both players are known, the result is not. `wait`: the players are not known yet. `missing`: the play has gone
   * past it without a result.
   */
  state: 'over' | 'open' | 'wait' | 'missing';
  sides: [MatchSide, MatchSide];
  /** Below the sides: why it has this winner. */
  why?: string | undefined;
  /** Below that: which match it is, and where the winner goes. */
  note?: Html | string | undefined;
}

export interface MatchSide {
  /** Who plays. */
  player?: string | undefined;
  playerId?: string | null | undefined;
  /** Where the player comes from, when nobody is known yet. */
  from?: Html | undefined;
  /** In a bracket. */
  seed?: number | undefined;
  faction?: string | null | undefined;
  outcome?: 'won' | 'lost' | 'drew' | undefined;
  /** Victory points, or `w/o`. */
  score?: Html | string | undefined;
}

/** What a page says about `w/o`. */
export const walkoverKey = '; w/o is a walkover: the opponent did not play.';

/** `followed`: the id of a player whose match is marked. */
export function matchBox(match: ShownMatch, followed?: string): Html {
  const { address, lead, state, sides, why, note } = match;
  const isMine = isOf({ sides }, followed);
  const kinds = `${state === 'over' || state === 'missing' ? '' : ` ${state}`}${isMine ? ' mine' : ''}`;
  const words = isPlaying(match)
    ? html`<span class="why playing">Playing</span> `
    : why !== undefined && html`<span class="why">${why}</span> `;
  const inside = html`${lead && html`<span class="no"><span class="vh">${lead.word} </span>${lead.number}</span>`}${sides.map((side) => sideLine(side, followed))}${(words || note !== undefined) && html` <span class="next">${words}${note}</span>`}`;
  return address === undefined
    ? html`<div class="match${kinds}">${inside}</div>`
    : html`<a class="match${kinds}" href="${address}">${inside}</a>`;
}

/** It has points already. */
export function isPlaying({ state, sides }: ShownMatch): boolean {
  return state === 'open' && sides.some(({ score }) => score !== undefined);
}

/** Whether this player is one of the two. */
export function isOf({ sides }: Pick<ShownMatch, 'sides'>, player: string | undefined): boolean {
  return player !== undefined && sides.some(({ playerId }) => playerId === player);
}

/** Of the row of a match that stands above the lists, too: the style sheet shows it once. */
export const onTop = html` class="on-top"`;

/** For what is marked because the reader follows the player. */
export const starred = html`<span class="starred"><svg viewBox="0 0 20 20" aria-hidden="true" focusable="false"><path d="m10 2 2.5 5.2 5.5.8-4 4 1 5.6-5-2.7-5 2.7 1-5.6-4-4 5.5-.8z"/></svg><span class="vh">Followed: </span></span>`;

function sideLine(
  { player, playerId, from, seed, faction, outcome, score }: MatchSide,
  followed?: string,
): Html {
  const star = followed !== undefined && playerId === followed && starred;
  // A link cannot hold links, so these names are none.
  const who =
    player === undefined
      ? from
      : html`<span class="clamp${player === erasedName && ' gone'}">${star}${name(player)}</span>`;
  const below = faction && html`<span class="sub clamp">${name(faction)}</span>`;
  const alone = faction ? html`<span>${who}${below}</span>` : who;
  const whole =
    seed === undefined
      ? alone
      : html`<span class="seeded"><span class="seed"><span class="vh">seed </span>${seed}</span>${who}${below}</span>`;
  const spoken = outcome !== undefined && html`<span class="vh">${outcome} </span>`;
  const result = (spoken || score !== undefined) && html` <b>${spoken}${score}</b>`;
  return html`<span class="side${outcome === 'won' && ' won'}"${playerId && html` data-player="${playerId}"`}>${whole}${result}</span>`;
}
