// What PostgreSQL refuses, in the feed's words. The checks before it catch nearly everything; what remains are things
// that only the whole database knows (a battle id used elsewhere, something stored that still refers to what goes).
import type { FeedRecord } from '../feed/records.ts';
import { expected, found, type Problem } from '../feed/problem.ts';
import { Refusal } from './recording.ts';

interface DatabaseError extends Error {
  code: string;
  constraint?: string;
  detail?: string;
  table?: string;
}

/** Integrity (23…) and data (22…) errors concern a record; all others concern the import. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Refusal || (isDatabaseError(error) && /^(22|23)/.test(error.code));

/** A deadlock or a serialization failure: somebody was in the way, and nothing is wrong with the records. */
export const isInTheWay = (error: unknown): boolean => isDatabaseError(error) && error.code.startsWith('40');

const isDatabaseError = (error: unknown): error is DatabaseError =>
  error instanceof Error && typeof (error as Partial<DatabaseError>).code === 'string';

export function problemsOf(error: unknown, record: FeedRecord): Problem[] {
  if (error instanceof Refusal) return error.problems;
  if (!isDatabaseError(error)) throw error;
  return [
    usedElsewhere(error, record) ??
      moved(error, record) ??
      leftOut(error) ??
      ungrouped(error, record) ??
      other(error),
  ];
}

function usedElsewhere(error: DatabaseError, record: FeedRecord): Problem | undefined {
  if (error.constraint !== 'battle_pkey') return undefined;
  const id = /^Key \(id\)=\((.*)\) already exists/.exec(error.detail ?? '')?.[1];
  const index =
    record.kind === 'tournament' ? (record.battles ?? []).findIndex((battle) => battle.id === id) : -1;
  const message = `expected an id that no other battle has, found ${found(id)}`;
  return { path: index < 0 ? 'id' : `battles[${index}].id`, message };
}

/** A battle is no longer in the stage whose match names it: elsewhere, or gone. */
function moved(error: DatabaseError, record: FeedRecord): Problem | undefined {
  if (error.constraint !== 'match_battle_of_its_stage') return undefined;
  const [, stage, id = ''] = /^Key \([^)]*\)=\(\d+, ([^,]*), (.*)\) is still/.exec(error.detail ?? '') ?? [];
  if (record.kind === 'battle' && 'tournament' in record) return named('stage', record.stage);
  const battles = record.kind === 'tournament' ? (record.battles ?? []) : [];
  const index = battles.findIndex((battle) => battle.id === id);
  if (index >= 0) return named(`battles[${index}].stage`, battles[index]?.stage);
  return { path: 'battles', message: stillNamed(id, 'a match') };

  function named(path: string, now: string | undefined): Problem {
    return expected(path, `"${stage}", where a match names "${id}"`, now);
  }
}

/** Something is no longer carried that a part which stays as it is still names. */
function leftOut(error: DatabaseError): Problem | undefined {
  const detail = /^Key \([^)]*\)=\(\d+, (.*)\) is still referenced from table "(\w+)"/.exec(
    error.detail ?? '',
  );
  const part = /on table "(\w+)"/.exec(error.message)?.[1] ?? '';
  if (!detail?.[1] || !detail[2]) return undefined;
  return { path: parts[part] ?? '', message: stillNamed(detail[1], referrers[detail[2]] ?? 'something') };
}

const stillNamed = (what: string, by: string): string =>
  `expected "${what}", which ${by} still names, found it left out`;

const referrers: Record<string, string> = {
  participant: 'a participant',
  stage: 'a stage',
  stage_member: 'a stage',
  bye: 'a bye',
  adjustment: 'an adjustment',
  battle: 'a battle',
  match: 'a match',
};
const parts: Record<string, string> = {
  tournament_group: 'groups',
  participant: 'participants',
  stage: 'stages',
};

function ungrouped(error: DatabaseError, record: FeedRecord): Problem | undefined {
  if (error.constraint !== 'stage_member_in_a_group') return undefined;
  const path = record.kind === 'participant' ? 'group' : 'stages';
  return { path, message: 'expected every member of a grouped stage in a group, found one in none' };
}

const other = (error: DatabaseError): Problem => ({
  path: '',
  message: `expected what the tables allow, found a breach of ${error.constraint ?? error.code}`,
});
