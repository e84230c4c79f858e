import { html, type Html } from '../parts/html.ts';
import { erasedName, followData, type Identity, isFollowed, name } from '../parts/names.ts';
import type { Words } from '../words/en.ts';

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

export interface MatchSide extends Identity {
  /** Who plays. */
  player?: string | undefined;
  /** Where the player comes from, when nobody is known yet. */
  from?: Html | undefined;
  /** In a bracket. */
  seed?: number | undefined;
  faction?: string | null | undefined;
  outcome?: 'won' | 'lost' | 'drew' | undefined;
  /** Victory points, or `w/o`. */
  score?: Html | string | undefined;
}

/** `followed`: the key of whose match is marked. */
export function matchBox(words: Words, match: ShownMatch, followed?: string): Html {
  const { address, lead, state, sides, why, note } = match;
  const isMine = isOf({ sides }, followed);
  const kinds = `${state === 'over' || state === 'missing' ? '' : ` ${state}`}${isMine ? ' mine' : ''}`;
  const status = isPlaying(match)
    ? html`<span class="why playing">${words.match.playing}</span> `
    : why !== undefined && html`<span class="why">${why}</span> `;
  const inside = html`${lead && html`<span class="no"><span class="vh">${lead.word} </span>${lead.number}</span>`}${sides.map((side) => sideLine(words, side, followed))}${(status || note !== undefined) && html` <span class="next">${status}${note}</span>`}`;
  return address === undefined
    ? html`<div class="match${kinds}">${inside}</div>`
    : html`<a class="match${kinds}" href="${address}">${inside}</a>`;
}

/** It has points already. */
export function isPlaying({ state, sides }: ShownMatch): boolean {
  return state === 'open' && sides.some(({ score }) => score !== undefined);
}

/** Whether this is one of the two. */
export function isOf({ sides }: Pick<ShownMatch, 'sides'>, followed: string | undefined): boolean {
  return sides.some((side) => isFollowed(side, followed));
}

/** Of the row of a match that stands above the lists, too: the style sheet shows it once. */
export const onTop = html` class="on-top"`;

/** For what is marked because the reader follows the player. */
export function starred({ match }: Words): Html {
  return html`<span class="starred"><svg viewBox="0 0 20 20" aria-hidden="true" focusable="false"><path d="m10 2 2.5 5.2 5.5.8-4 4 1 5.6-5-2.7-5 2.7 1-5.6-4-4 5.5-.8z"/></svg><span class="vh">${match.followed} </span></span>`;
}

function sideLine(words: Words, side: MatchSide, followed?: string): Html {
  const { player, from, seed, faction, outcome, score } = side;
  const star = isFollowed(side, followed) && starred(words);
  // A link cannot hold links, so these names are none.
  const who =
    player === undefined
      ? from
      : html`<span class="clamp${player === erasedName && ' gone'}">${star}${name(player === erasedName ? words.stored.erased : player)}</span>`;
  const below = faction && html`<span class="sub clamp">${name(faction)}</span>`;
  const alone = faction ? html`<span>${who}${below}</span>` : who;
  const whole =
    seed === undefined
      ? alone
      : html`<span class="seeded"><span class="seed"><span class="vh">${words.match.seed} </span>${seed}</span>${who}${below}</span>`;
  const spoken = outcome !== undefined && html`<span class="vh">${words.match[outcome]} </span>`;
  const result = (spoken || score !== undefined) && html` <b>${spoken}${score}</b>`;
  return html`<span class="side${outcome === 'won' && ' won'}"${followData(side)}>${whole}${result}</span>`;
}
