// Turns errors of PostgreSQL into refusals of the feed. The earlier checks catch nearly everything. The rest
// depends on the whole database: a battle id that is used elsewhere, or a stored row that still refers to a
// deleted one.
import type { ClientBase } from 'pg';
import type { FeedRecord } from '../feed/records.ts';
import { expected, type Problem } from '../feed/problem.ts';
import { RecordRefusal } from './recording.ts';

interface DatabaseError extends Error {
  code: string;
  constraint?: string;
  detail?: string;
  table?: string;
}

/**
 * Returns true for integrity (23…) and data (22…) errors, which mean that a record is wrong. Other errors do
 * not.
 */
export const isRefusal = (error: unknown): boolean =>
  error instanceof RecordRefusal || (isDatabaseError(error) && /^(22|23)/.test(error.code));

/**
 * Returns true for a deadlock or a serialization failure, which another process caused although the records
 * are fine.
 */
export const isInTheWay = (error: unknown): boolean => isDatabaseError(error) && error.code.startsWith('40');

const isDatabaseError = (error: unknown): error is DatabaseError =>
  error instanceof Error && typeof (error as Partial<DatabaseError>).code === 'string';

export async function problemsOf(client: ClientBase, error: unknown, record: FeedRecord): Promise<Problem[]> {
  if (error instanceof RecordRefusal) return error.problems;
  if (!isDatabaseError(error)) throw error;
  if (error.constraint === 'battle_pkey') return usedElsewhere(client, error, record);
  return [moved(error, record) ?? leftOut(error) ?? ungrouped(error, record) ?? other(error)];
}

/**
 * Lists all ids that are used elsewhere. The error names only the first, but a platform that numbers the
 * battles of each tournament has many.
 */
async function usedElsewhere(
  client: ClientBase,
  error: DatabaseError,
  record: FeedRecord,
): Promise<Problem[]> {
  const first = /^Key \(id\)=\((.*)\) already exists/.exec(error.detail ?? '')?.[1] ?? '';
  const isTournament = record.kind === 'tournament';
  const ids = isTournament ? (record.battles ?? []).map(({ id }) => id) : [first];
  const own = isTournament ? record.slug : 'tournament' in record ? record.tournament : null;
  const { rows } = await client.query<{ id: string; slug: string | null }>({
    text: `select b.id, t.slug from record.battle b left join record.tournament t on t.id = b.tournament_id
      where b.id = any($1::text[]) and t.slug is distinct from $2`,
    values: [ids, own],
  });
  const owners = new Map(rows.map(({ id, slug }) => [id, slug]));
  return ids.flatMap((id, index) => {
    const owner = owners.get(id);
    if (owner === undefined && id !== first) return [];
    const path = isTournament ? `battles[${index}].id` : 'id';
    const { message } = expected(path, 'an id that no other battle has', id);
    // Another import may have removed it meanwhile.
    if (owner === undefined) return { path, message };
    const has = owner === null ? 'a casual battle' : `tournament "${owner}"`;
    return { path, message: `${message}, which ${has} has` };
  });
}

/** Explains that a match names a battle that moved to another stage or was left out. */
function moved(error: DatabaseError, record: FeedRecord): Problem | undefined {
  if (error.constraint !== 'match_battle_of_its_stage') return undefined;
  const [, stage, id = ''] = /^Key \([^)]*\)=\(\d+, ([^,]*), (.*)\) is still/.exec(error.detail ?? '') ?? [];
  if (record.kind === 'battle' && 'tournament' in record) return named('stage', record.stage);
  const battles = record.kind === 'tournament' ? (record.battles ?? []) : [];
  const index = battles.findIndex((battle) => battle.id === id);
  if (index >= 0) return named(`battles[${index}].stage`, battles[index]?.stage);
  return { path: 'battles', message: stillNamed(id, 'a match') };

  function named(path: string, now: string | undefined): Problem {
    return expected(path, `"${stage}", because a match of that stage names "${id}"`, now);
  }
}

/** Explains that the record leaves out an element that another stored part still names. */
function leftOut(error: DatabaseError): Problem | undefined {
  const detail = /^Key \([^)]*\)=\(\d+, (.*)\) is still referenced from table "(\w+)"/.exec(
    error.detail ?? '',
  );
  const part = /on table "(\w+)"/.exec(error.message)?.[1] ?? '';
  if (!detail?.[1] || !detail[2]) return undefined;
  const message = stillNamed(detail[1], referrers[detail[2]] ?? 'something');
  return { path: parts[part] ?? '', message: detail[2] === 'adjustment' ? `${message}: ${remedy}` : message };
}

/** A sheet cannot have adjustments, so this comes from a feed. */
const remedy = 'keep it, or send the tournament with "adjustments" that do not name it';

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
  return { path, message: 'expected every member of a grouped stage in a group, found one without a group' };
}

const other = (error: DatabaseError): Problem => ({
  path: '',
  message: `expected a record that the database accepts, found a violation of ${error.constraint ?? error.code}`,
});
