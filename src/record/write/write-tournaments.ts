// Writes changes of tournaments. New tournaments are written by COPY. For stored ones, only rows that differ
// are written.
import type { ClientBase } from 'pg';
import type { TableRow } from '../../database/row.ts';
import { checkEntries } from './check-entries.ts';
import { checkTournament } from './check-tournament.ts';
import { checkListsAgainstBattles } from './check-lists.ts';
import { checkListTexts, textProblems } from './check-texts.ts';
import {
  collectReferred,
  elementKey,
  tournamentChange,
  type TournamentChange,
  type TournamentChangeRecord,
} from './tournament-change.ts';
import { publishedWanted } from '../feed/records.ts';
import { expected, type Problem } from '../feed/problem.ts';
import { collectWarnings } from './collect-warnings.ts';
import { type PartRows, partRowsOf } from './part-rows.ts';
import { loadPlayedRounds } from './played-rounds.ts';
import { fitRankings } from './fit-rankings.ts';
import { judgeRankings } from './judge-rankings.ts';
import type { Recording, Removed, Touched } from '../recording/recording.ts';
import { rowOf } from './rows.ts';
import { mergeHeader } from './part-rows.ts';
import { isHiddenTournament, type TournamentHeader } from '../facts/tournament-header.ts';
import { loadRecordedTournaments, type RecordedTournament } from './recorded-tournament.ts';
import type { Table } from '../columns.ts';
import { tournament, type TournamentPart, tournamentParts, tournamentTables } from '../tables.ts';
import { eraseWritten, dropErased } from '../people/drop-erased.ts';
import { writeForeign } from '../sources/ownership.ts';
import { takeBattles } from './take-battles.ts';
import { copyNewRows, deleteMissing, upsertRows } from './write-rows.ts';

/**
 * Writes records of one kind. No two of them are about the same tournament (or element, for small records).
 */
export async function writeTournaments(
  recording: Recording,
  records: TournamentChangeRecord[],
): Promise<void> {
  const changes = records.map(tournamentChange);
  const stored = await loadRecordedTournaments(recording.client, changes);
  const ownerOf = ({ slug }: TournamentChange): string => stored.get(slug)?.source ?? recording.source;
  const isOwn = (change: TournamentChange): boolean => ownerOf(change) === recording.source;
  await writeChanges(recording, changes.filter(isOwn), stored);
  for (const change of changes) {
    if (isOwn(change)) continue;
    const thing = { kind: 'tournament', key: change.slug, owner: ownerOf(change) } as const;
    await writeForeign(recording, change.record, thing, (trial) => writeChanges(trial, [change], stored));
  }
}

async function writeChanges(
  recording: Recording,
  changes: TournamentChange[],
  stored: Map<string, RecordedTournament>,
): Promise<void> {
  if (changes.length === 0) return;
  const { client, known, marks } = recording;
  await known.look(client, collectReferred(changes));
  const judged = changes.map((change) => ({ change, ...judge(recording, change, stored.get(change.slug)) }));
  const played = await loadPlayedRounds(client, changes, stored);
  for (const { change, problems } of judged) {
    if (problems.length === 0)
      problems.push(...collectWarnings(recording.remarks, change, stored.get(change.slug), played));
  }
  const twice = await checkEntries(client, judged, stored);
  const accepted: { change: TournamentChange; header: TournamentHeader }[] = [];
  for (const { change, header, problems } of judged) {
    const entered = twice.get(change);
    if (entered) problems.push(entered);
    if (header && problems.length === 0) accepted.push({ change, header });
    else recording.refuse(change.record, problems);
  }

  const { ids, changed } = await writeHeaders(recording, accepted);
  const slugOf = new Map([...ids].map(([slug, id]) => [id, slug]));
  const isNew = ({ change }: { change: TournamentChange }): boolean => !stored.has(change.slug);
  const fresh = partRowsOf(accepted.filter(isNew), ids);
  await dropErased(client, fresh.rows);
  await checkListTexts(client, fresh.rows, accepted, ids);
  await copyNew(recording, fresh);
  const rest = partRowsOf(
    accepted.filter((each) => !isNew(each)),
    ids,
  );
  const erased = await dropErased(client, rest.rows);
  await checkListTexts(client, rest.rows, accepted, ids);
  recording.arrivals.created(accepted.filter(isNew).map(({ change }) => change.slug));
  const running = accepted.filter(
    ({ change: { slug }, header }) =>
      recording.arrivals.canCome(slug) &&
      [header.status, stored.get(slug)?.header.status].includes('ongoing'),
  );
  const runningIds = new Set(running.map(({ change }) => ids.get(change.slug)));
  const { touched, written, removed } = await writeStored(recording, rest, runningIds);
  for (const { change } of accepted)
    recording.remarks.removed.set(change.record, removed.get(ids.get(change.slug) ?? 0));
  await eraseWritten(client, erased, written);
  const refitted = accepted.filter(
    ({ change }) =>
      (stored.get(change.slug)?.rankings.size ?? 0) > 0 && (change.parts.stages ?? change.parts.participants),
  );
  await fitRankings(
    client,
    refitted.flatMap(({ change }) => ids.get(change.slug) ?? []),
  );
  touched.push(...(await judgeRankings(recording, accepted, ids)));
  for (const { id, part } of touched) marks.add('tournament', slugOf.get(id) ?? '', part);
  noteChanged(recording, accepted, ids, [...touched.map(({ key }) => key), ...[...changed].map(String)]);
  await checkListsAgainstBattles(client, accepted, ids, written);
  for (const id of changed) marks.add('tournament', slugOf.get(id) ?? '');
}

/**
 * Notes the records whose rows were written. `written` has the keys of rows: the number of the tournament,
 * then what identifies the element in it.
 */
function noteChanged(
  { changed }: Recording,
  accepted: { change: TournamentChange }[],
  ids: Map<string, number>,
  written: string[],
): void {
  const keys = new Set(written);
  const tournaments = new Set(written.map((key) => key.split(' ', 1)[0]));
  for (const { change } of accepted) {
    const id = String(ids.get(change.slug));
    if (change.whole ? tournaments.has(id) : keys.has(`${id} ${elementKey(change)}`))
      changed.add(change.record);
  }
}

function judge(
  recording: Recording,
  change: TournamentChange,
  stored: RecordedTournament | undefined,
): { header?: TournamentHeader; problems: Problem[] } {
  if (!change.whole) {
    if (!stored) return { problems: [expected('tournament', 'a recorded tournament', change.slug)] };
    return {
      header: stored.header,
      problems: checkTournament(change, stored.header, stored, recording.known),
    };
  }
  const { whole } = change;
  const missing = stored ? [] : requiredOfNew.filter(([key]) => whole[key] === undefined);
  const header = mergeHeader(stored?.isHidden ? { ...whole, published: false } : whole, stored?.header);
  const problems = [
    ...missing.map(([key, wanted]) => expected(key, wanted, undefined)),
    ...textProblems('description', whole.description, stored?.header.description),
    ...checkTournament(change, header, stored, recording.known),
  ];
  return { header, problems };
}

const requiredOfNew = [
  ['name', 'a name for a new tournament'],
  ['status', 'a status for a new tournament'],
  ['battleSize', 'a battle size for a new tournament'],
  ['published', publishedWanted],
] as const;

/** Returns the id of every tournament in `accepted`, and the ids of those whose own row changed. */
async function writeHeaders(
  recording: Recording,
  accepted: { change: TournamentChange; header: TournamentHeader }[],
): Promise<{ ids: Map<string, number>; changed: Set<number> }> {
  const rows = accepted.filter(({ change }) => change.whole).map(({ header }) => rowOf(tournament, header));
  const { client } = recording;
  const written = await upsertRows(client, tournament, rows, ['slug'], recording);
  const changed = new Set(written.map(({ slug }) => slug));
  const { rows: numbered } = await client.query<{ id: number; slug: string; isHidden: boolean }>({
    text: `select id, slug, published and ${isHiddenTournament} as "isHidden"
      from record.tournament t where slug = any($1::text[])`,
    values: [accepted.map(({ change }) => change.slug)],
  });
  // These are new, but an operator hid a tournament with the same slug that was removed since.
  const hidden = numbered.flatMap(({ id, isHidden }) => (isHidden ? id : []));
  if (hidden.length > 0)
    await client.query('update record.tournament set published = false where id = any($1::integer[])', [
      hidden,
    ]);
  return {
    ids: new Map(numbered.map(({ id, slug }) => [slug, id])),
    changed: new Set(numbered.flatMap(({ id, slug }) => (changed.has(slug) ? id : []))),
  };
}

async function copyNew(recording: Recording, { rows }: PartRows): Promise<void> {
  for (const part of tournamentParts) {
    if (part === 'battles') await takeBattles(recording, rows.battles);
    await copyNewRows(recording.client, tournamentTables[part], rows[part]);
  }
}

/**
 * Writes all parts first, in the order of their references. Then deletes rows that the feed left out, in
 * reverse order. Deleting first would fail, because a battle that moves to another participant would still
 * refer to the deleted one.
 */
async function writeStored(
  recording: Recording,
  { rows, replaced, withoutList, newest }: PartRows,
  running: ReadonlySet<number | undefined>,
): Promise<{ touched: Touched[]; written: Set<string>; removed: Map<number, Removed> }> {
  const { client, arrivals } = recording;
  const touched: Touched[] = [];
  const removed = new Map<number, Removed>();
  const written = new Set<string>();
  const coming = await arrivals.coming(
    client,
    rows.battles.filter((row) => running.has(Number(row.tournament_id))),
  );
  touched.push(...(await deleteLists(client, withoutList)), ...(await deleteLaterRankings(client, newest)));
  for (const part of tournamentParts) {
    if (part === 'battles') await takeBattles(recording, rows.battles);
    touched.push(...(await writePart(client, part, rows[part], written)));
  }
  await arrivals.note(client, coming);
  for (const part of tournamentParts.toReversed()) {
    const gone = await deleteMissing(client, tournamentTables[part], replaced[part], rows[part]);
    for (const id of gone) {
      touched.push({ id, part: null, key: String(id) });
      const counts = removed.get(id) ?? { battles: 0, participants: 0 };
      if (part === 'battles' || part === 'participants')
        removed.set(id, { ...counts, [part]: counts[part] + 1 });
    }
  }
  return { touched, written, removed };
}

async function deleteLaterRankings(client: ClientBase, newest: PartRows['newest']): Promise<Touched[]> {
  if (newest.length === 0) return [];
  const { rows } = await client.query<{ id: number }>({
    text: `delete from record.ranking r using unnest($1::integer[], $2::text[], $3::integer[]) s (tournament_id, stage, after_round)
      where (r.tournament_id, r.stage) = (s.tournament_id, s.stage) and r.after_round > s.after_round
      returning r.tournament_id as id`,
    values: [
      newest.map((each) => each.tournament_id),
      newest.map(({ stage }) => stage),
      newest.map((each) => each.after_round),
    ],
  });
  return rows.map(({ id }) => ({ id, part: '', key: String(id) }));
}

/**
 * Writes one part. Adds to `listed` the participants whose row or list was written, because a list's faction
 * is in the participant's row.
 */
async function writePart(
  client: ClientBase,
  part: TournamentPart,
  rows: TableRow[],
  listed: Set<string>,
): Promise<Touched[]> {
  const table: Table = tournamentTables[part];
  const written = await upsertRows(client, table, rows, table.key);
  return written.map((row) => {
    const key = table.key.map((column) => row[column]).join(' ');
    if (part === 'participants' || part === 'lists') listed.add(key);
    return {
      id: Number(row['tournament_id']),
      part: part === 'battles' ? String(row['id']) : reachOf(part),
      key,
    };
  });
}

const reachOf = (part: TournamentPart): '' | null => (narrowParts.has(part) ? '' : null);
const narrowParts = new Set<TournamentPart>(['rankings', 'byes', 'adjustments', 'matches']);

async function deleteLists(client: ClientBase, participants: PartRows['withoutList']): Promise<Touched[]> {
  if (participants.length === 0) return [];
  const { rows } = await client.query<{ id: number; key: string }>({
    text: `delete from record.participant_list where (tournament_id, participant) in (
      select * from unnest($1::integer[], $2::text[]))
      returning tournament_id as id, tournament_id || ' ' || participant as key`,
    values: [participants.map((each) => each.tournament_id), participants.map((each) => each.participant)],
  });
  return rows.map((row) => ({ ...row, part: null }));
}
