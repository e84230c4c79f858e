import { crestOf } from '../parts/crest.ts';
import type { Identity } from '../parts/guests.ts';
import { html, type Html } from '../html.ts';
import { erasedName, followData, name } from '../parts/names.ts';
import type { SiteSettings } from '../site-settings.ts';
import type { Words } from '../words/en.ts';

/** One table, as "Now", the rounds and brackets show it. */
export interface ShownMatch {
  /** The address of the battle's page. */
  address: string | undefined;
  /** The number that the card begins with: the table, or the number in the bracket. */
  lead?: { word: string; number: number; isShown?: boolean } | undefined;
  table?: number | null | undefined;
  /**
   * `open` means that both players are known, but not the result. `wait` means that the players are not known
   * yet, and `missing` that play has gone past the battle without a result.
   */
  state: 'over' | 'open' | 'wait' | 'missing';
  sides: [MatchSide, MatchSide];
  /** The reason why it has this winner. */
  why?: string | undefined;
  /** Text that says which match it is, and where the winner goes on to. */
  note?: Html | string | undefined;
}

export interface MatchSide extends Identity {
  /** The name of the player. */
  player?: string | undefined;
  /** Says where the player will come from, as long as nobody is known. */
  from?: Html | undefined;
  /** The seed in a bracket. */
  seed?: number | undefined;
  faction?: string | null | undefined;
  outcome?: 'won' | 'lost' | 'drew' | undefined;
  /** Victory points, or `w/o`. */
  score?: Html | string | undefined;
}

/**
 * Draws a card without the text below the sides, for rows in which all cards have one height, so that points
 * of a running game need no word of their own. `below` comes under the number, and `small` in small letters
 * under the sides.
 */
export function shortCard(
  words: Words,
  match: ShownMatch,
  below?: Html | string,
  small: Html | string | false = false,
): Html {
  return cardOf(words, match, below, small !== false && html`<small>${small}</small>`);
}

/** Draws a card with its number, both sides, the result once there is one, the reason for it, and the note. */
export function card({ words, savedAt }: SiteSettings, match: ShownMatch): Html {
  const { why, note } = match;
  // A saved page would say for ever that this is being played.
  const status =
    isPlaying(match) && savedAt === undefined
      ? html`<span class="why playing">${words.match.playing}</span> `
      : why !== undefined && html`<span class="why">${why}</span> `;
  const more = (status || note !== undefined) && html` <span class="next">${status}${note}</span>`;
  return cardOf(words, match, undefined, more);
}

function cardOf(
  words: Words,
  { address, lead, state, sides }: ShownMatch,
  below: Html | string | undefined,
  more: Html | false,
): Html {
  const kind = state === 'over' ? 'done' : state;
  const word =
    lead && (lead.isShown ? html`<small>${lead.word} </small>` : html`<span class="vh">${lead.word} </span>`);
  const hasCell = lead !== undefined || below !== undefined;
  const number = html`<b><span>${word}${lead?.number}${below !== undefined && html`<small>${below}</small>`}</span></b>`;
  const inside = html`${hasCell && number}<span>${sides.map((side) => sideOf(words, side))}${more}</span>`;
  return address === undefined
    ? html`<div class="card ${kind}">${inside}</div>`
    : html`<a class="card ${kind}" href="${address}">${inside}</a>`;
}

/** Returns true if it has points already but no result. */
export function isPlaying({ state, sides }: ShownMatch): boolean {
  return state === 'open' && sides.some(({ score }) => score !== undefined);
}

function sideOf(words: Words, side: MatchSide): Html {
  const { player, from, seed, faction, outcome, score } = side;
  const seeded =
    seed !== undefined &&
    html`<span class="seed"><span class="vh">${words.match.seed} </span>#${seed}</span>`;
  if (player === undefined) return html`<span class="side">${seeded}<span class="tbd">${from}</span></span>`;
  const shown = player === erasedName ? words.stored.erased : player;
  const long = shown.length > longName && (shown.length > longerName ? 'long longer' : 'long');
  const kinds = [outcome === 'won' && 'won', long].filter(Boolean).join(' ');
  const result = html`${outcome !== undefined && html`<span class="vh">${words.match[outcome]} </span>`}${score}`;
  // A link cannot contain links, so these names are plain text.
  return html`<span class="side"${followData(side)}>${seeded}${crestOf(faction)}<bdi${kinds !== '' && html` class="${kinds}"`}>${name(shown)}</bdi>${result.text !== '' && html` <b>${result}</b>`}</span>`;
}

/** A phone has room for about this many letters at the usual size. */
const longName = 22;
/** A card on the screen in the hall has room for about this many. */
const longerName = 32;
