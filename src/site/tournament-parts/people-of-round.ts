import { compareText, sortKey } from '../../text/fold.ts';
import { crestOf } from '../parts/crest.ts';
import type { Identity } from '../parts/guests.ts';
import { html, type Html } from '../html.ts';
import { followData, followKey, name, participantLink } from '../parts/names.ts';
import { dot, dotKey } from '../parts/path.ts';
import type { SiteSettings } from '../site-settings.ts';
import type { MatchSide, ShownMatch } from '../match/card.ts';
import type { Words } from '../words/en.ts';

/** A participant in a round, and where they play. */
export interface ParticipantOfRound extends Identity {
  player: string;
  faction?: string | null | undefined;
  outcome?: MatchSide['outcome'];
  /** Undefined if the player has a bye. */
  match: ShownMatch | undefined;
}

/** Returns everybody in the round, sorted by name. */
export function participantsOfRound(
  matches: readonly ShownMatch[],
  byes: readonly Omit<ParticipantOfRound, 'match'>[],
): ParticipantOfRound[] {
  const players = matches.flatMap((match) =>
    match.sides.flatMap(({ player, ...side }) => (player === undefined ? [] : [{ ...side, player, match }])),
  );
  return [...players, ...byes.map((bye) => ({ ...bye, match: undefined }))]
    .map((each) => ({ each, key: sortKey(each.player) }))
    .toSorted((a, b) => compareText(a.key, b.key))
    .map(({ each }) => each);
}

/** Explains the numbers and the dots of the list. */
export function peopleKey(
  words: Words,
  matches: readonly ShownMatch[],
  byes: readonly unknown[],
): Html | undefined {
  const outcomes = matches.flatMap(({ sides }) => sides.flatMap(({ outcome }) => outcome ?? []));
  const occurring = new Set<string>(outcomes.map((outcome) => letters[outcome]));
  if (byes.length > 0) occurring.add('B');
  const items = [
    ...(matches.some(({ table }) => table) ? [html`<b>1</b> ${words.rounds.tableHead}`] : []),
    ...dotKey(words, (letter) => occurring.has(letter)),
  ];
  return html`<ul class="board-key sub">${items.map(
    (item) => html`
<li>${item}</li>`,
  )}
</ul>`;
}

/**
 * Draws a list to be printed and hung on the wall. There is a letter wherever the first letter of the names
 * changes.
 */
export function peopleList(site: SiteSettings, people: readonly ParticipantOfRound[]): Html {
  let last = '';
  return html`<ol class="rows people">${people.map((each) => {
    const letter = letterOf(each.player);
    const heading =
      letter !== last &&
      html`
<li class="letter" aria-hidden="true">${letter}</li>`;
    last = letter;
    return html`${heading}${personRow(site, each)}`;
  })}
</ol>`;
}

function personRow(site: SiteSettings, one: ParticipantOfRound): Html {
  const { words } = site;
  const { player, match, faction, outcome } = one;
  const [first, second] = match?.sides ?? [];
  const other = first?.player === player && followKey(first) === followKey(one) ? second : first;
  const against =
    match === undefined
      ? html`${words.rounds.hasBye}`
      : html`${words.battle.versus} ${other?.player === undefined ? other?.from : name(other.player)}`;
  const result =
    match === undefined
      ? dot('B')
      : outcome && html`<span class="vh">${words.match[outcome]} </span>${dot(letters[outcome])}`;
  const table =
    match?.table &&
    html`<span class="tno"><span class="vh">${words.rounds.tableHead} </span>${match.table}</span>`;
  return html`
<li${match?.state === 'over' && html` class="done"`}${followData(one)}>${crestOf(faction)}<span>${participantLink(site, one)} <span class="sub">${against}</span></span><span class="num">${result}${table}</span></li>`;
}

const letters = { won: 'W', drew: 'D', lost: 'L' } as const;

/**
 * Returns the first letter of a name, or an empty text for Han, Hangul, kana and anything that is not a
 * letter.
 */
function letterOf(player: string): string {
  return (
    /^(?!\p{sc=Han}|\p{sc=Hangul}|\p{sc=Hira}|\p{sc=Kana})\p{L}/u.exec(sortKey(player))?.[0].toUpperCase() ??
    ''
  );
}
