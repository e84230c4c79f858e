// Limits the length of the texts in a feed. A page has up to 100 of them, so this also bounds the largest
// page. A longer text is accepted only if it is the recorded one, so that sending the same feed again still
// changes nothing.
import type { ClientBase } from 'pg';
import type { ColumnValue } from '../../database/row.ts';
import type { Problem } from '../feed/problem.ts';
import { longestText } from '../feed/scalars.ts';
import type { TournamentRow } from '../tables.ts';
import { RecordRefusal } from '../recording/recording.ts';
import { elementPath, type TournamentChange } from './tournament-change.ts';

type ListRow = TournamentRow<'lists'>;
type BattleRow = TournamentRow<'battles'>;

/** Returns no problem if the text may be recorded. */
export function textProblems(
  path: string,
  text: string | null | undefined,
  recorded: string | undefined,
): Problem[] {
  return isLong(text) && text !== recorded ? [tooLong(path, text)] : [];
}

/**
 * Checks the rows after `dropErased`, because what is not recorded of erased people may have any size. By
 * then other rows have been written, so it throws: the batch is undone, and its records are written one by
 * one.
 */
export async function checkListTexts(
  client: ClientBase,
  { lists, battles }: { lists: ListRow[]; battles: BattleRow[] },
  accepted: { change: TournamentChange }[],
  ids: Map<string, number>,
): Promise<void> {
  const ofEntries = await longLists(client, lists);
  const ofBattles = await longListsOfBattles(client, battles);
  if (ofEntries.size === 0 && ofBattles.size === 0) return;
  throw new RecordRefusal(
    accepted.flatMap(({ change }) => {
      const tournament = ids.get(change.slug) ?? 0;
      const { participants = [], battles: played = [] } = change.parts;
      return [
        ...participants.flatMap(({ id }, index) =>
          below(elementPath(change, 'participants', index), ofEntries.get(entryKey(tournament, id))),
        ),
        ...played.flatMap(({ id }, index) => below(elementPath(change, 'battles', index), ofBattles.get(id))),
      ];
    }),
  );
}

/** Does the same for casual battles, after `dropErasedCasually`. */
export async function checkCasualListTexts(client: ClientBase, rows: BattleRow[]): Promise<void> {
  const problems = [...(await longListsOfBattles(client, rows)).values()].flat();
  if (problems.length > 0) throw new RecordRefusal(problems);
}

/**
 * Returns the problems of each battle, by its id. A list may be the recorded one of either side, because
 * sides may be swapped.
 */
async function longListsOfBattles(
  client: ClientBase,
  rows: BattleRow[],
): Promise<Map<ColumnValue, Problem[]>> {
  const long = rows.flatMap((row) =>
    [row.first_list, row.second_list].flatMap((list, side) => {
      const text = textOf(list);
      return isLong(text) ? { key: row.id, path: `sides[${side}].list.text`, text } : [];
    }),
  );
  if (long.length === 0) return new Map();
  const { rows: recorded } = await client.query<{ key: string; texts: string[] }>({
    text: `select id as key, array[first_list ->> 'text', second_list ->> 'text'] as texts
      from record.battle where id = any($1::text[])`,
    values: [long.map(({ key }) => key)],
  });
  return problemsBesides(recorded, long);
}

async function longLists(client: ClientBase, rows: ListRow[]): Promise<Map<ColumnValue, Problem[]>> {
  const long = rows.filter(({ text }) => isLong(text));
  if (long.length === 0) return new Map();
  const { rows: recorded } = await client.query<{ key: string; texts: string[] }>({
    text: `select tournament_id || ' ' || participant as key, array[text] as texts from record.participant_list
      where (tournament_id, participant) in (select * from unnest($1::integer[], $2::text[]))`,
    values: [long.map((row) => row.tournament_id), long.map((row) => row.participant)],
  });
  return problemsBesides(
    recorded,
    long.map((row) => ({
      key: entryKey(row.tournament_id, row.participant),
      path: 'list.text',
      text: String(row.text),
    })),
  );
}

function problemsBesides(
  recorded: { key: string; texts: string[] }[],
  sent: { key: ColumnValue; path: string; text: string }[],
): Map<ColumnValue, Problem[]> {
  const textsOf = new Map<ColumnValue, string[]>(recorded.map(({ key, texts }) => [key, texts]));
  const problems = new Map<ColumnValue, Problem[]>();
  for (const { key, path, text } of sent) {
    if (textsOf.get(key)?.includes(text)) continue;
    problems.set(key, [...(problems.get(key) ?? []), tooLong(path, text)]);
  }
  return problems;
}

const entryKey = (tournament: ColumnValue, participant: ColumnValue): string =>
  `${String(tournament)} ${String(participant)}`;

const below = (at: string, problems: Problem[] = []): Problem[] =>
  problems.map(({ path, message }) => ({ path: `${at}${path}`, message }));

/** Avoids measuring the usual text: a character has at most three bytes for each of its UTF-16 units. */
const isLong = (text: ColumnValue | undefined): text is string =>
  typeof text === 'string' && text.length > longestText / 3 && Buffer.byteLength(text) > longestText;

/** Avoids parsing the usual list: its JSON is never shorter than the text. */
const textOf = (list: ColumnValue): ColumnValue | undefined =>
  typeof list === 'string' && list.length > longestText / 3
    ? (JSON.parse(list) as { text?: string }).text
    : undefined;

const tooLong = (path: string, text: string): Problem => ({
  path,
  message: `expected at most ${longestText} bytes, found ${Buffer.byteLength(text)}`,
});
