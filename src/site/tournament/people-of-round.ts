import { compareText, sortKey } from '../../text/fold.ts';
import { html, type Html } from '../parts/html.ts';
import { type ShownMatch, starred } from './match.ts';
import { followData, type Identity, isFollowed, keyOf, name } from '../parts/names.ts';
import type { Words } from '../words/en.ts';

/** Who plays in a round, and where. */
export interface PersonOfRound extends Identity {
  player: string;
  /** Undefined: the player has a bye. */
  match: ShownMatch | undefined;
}

/** Everybody of the round, by name. */
export function peopleOfRound(
  matches: readonly ShownMatch[],
  byes: readonly Omit<PersonOfRound, 'match'>[],
): PersonOfRound[] {
  const players = matches.flatMap((match) =>
    match.sides.flatMap(({ player, playerId, guest }) =>
      player === undefined ? [] : [{ player, playerId, guest, match }],
    ),
  );
  return [...players, ...byes.map((bye) => ({ ...bye, match: undefined }))]
    .map((person) => ({ person, key: sortKey(person.player) }))
    .toSorted((a, b) => compareText(a.key, b.key))
    .map(({ person }) => person);
}

/** What is printed and hung on the wall. The letter stands where it changes. */
export function peopleList(
  words: Words,
  people: readonly PersonOfRound[],
  followed: string | undefined,
): Html {
  let last = '';
  return html`<ol class="people">${people.map((each) => {
    const letter = letterOf(each.player);
    const shown = letter === last ? '' : letter;
    last = letter;
    return personRow(words, each, shown, followed);
  })}
</ol>`;
}

export function personRow(words: Words, person: PersonOfRound, letter: string, followed?: string): Html {
  const { player, match } = person;
  const isMine = isFollowed(person, followed);
  const [first, second] = match?.sides ?? [];
  const other = first?.player === player && keyOf(first) === keyOf(person) ? second : first;
  const against =
    match === undefined
      ? html`${words.rounds.hasBye}`
      : html`${words.battle.versus} ${other?.player === undefined ? other?.from : name(other.player)}`;
  const inside = html`<span class="letter" aria-hidden="true">${letter}</span><span class="person">${isMine && starred(words)}${name(player)} <span class="sub">${against}</span></span>${match?.table && html`<span class="tno"><span class="vh">${words.rounds.tableHead} </span>${match.table}</span>`}`;
  const kinds = [...(match?.state === 'over' ? ['done'] : []), ...(isMine ? ['mine'] : [])].join(' ');
  const attributes = html`${kinds !== '' && html` class="${kinds}"`}${followData(person)}`;
  return match?.address === undefined
    ? html`
<li><div${attributes}>${inside}</div></li>`
    : html`
<li><a${attributes} href="${match.address}">${inside}</a></li>`;
}

/** Only of an alphabet. */
function letterOf(player: string): string {
  return (
    /^(?!\p{sc=Han}|\p{sc=Hangul}|\p{sc=Hira}|\p{sc=Kana})\p{L}/u.exec(sortKey(player))?.[0].toUpperCase() ??
    ''
  );
}
