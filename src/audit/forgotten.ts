// Compares the audit of a restored database with one that was saved later. An id alone does not identify a
// key or an account: after a restore, the next key gets the id of a key that the restored database no longer
// knows.
import type { ClientBase } from 'pg';
import type { AuditEntry, NotedEntry } from './entries.ts';

export interface ForgottenEntry extends NotedEntry {
  /** The reason why the action must not be repeated: the database has changed in the meantime. */
  differs?: string;
}

/** A key or an account in the restored database. */
interface Made {
  kind: AuditEntry['kind'];
  id: string;
  at: Date;
}

/** Thrown if the saved audit cannot be compared with this database. */
export class ForeignAudit extends Error {}

/** Returns the entries of the saved audit that the database lacks, in their order. */
export async function findForgotten(
  client: Pick<ClientBase, 'query'>,
  saved: NotedEntry[],
): Promise<ForgottenEntry[]> {
  const { rows: restored } = await client.query<NotedEntry>(
    'select at, login, action, kind, thing from audit.entry order by id',
  );
  const { rows: made } = await client.query<Made>(
    `select 'key' as kind, id::text, created_at as at from keys.key
      union all select 'account', id::text, created_at from keys.account`,
  );
  return compareAudits(saved, restored, made);
}

function compareAudits(saved: NotedEntry[], restored: NotedEntry[], made: Made[]): ForgottenEntry[] {
  const [inSaved, inRestored] = [new Set(saved.map(identity)), new Set(restored.map(identity))];
  // The time of the last common entry. Up to here both audits agree, so a key or an account that was created
  // before is the same in both, because creating it left an entry.
  const forkedAt = Math.max(-Infinity, ...saved.filter((each) => inRestored.has(identity(each))).map(timeOf));
  // An empty file is no audit of a database that has entries. It may have been saved after the accident.
  if (forkedAt === -Infinity && (saved.length > 0 ? made : restored).length > 0)
    throw new ForeignAudit(
      'The file and the database have no audit entry in common: give the newest audit of this database.',
    );
  const madeAt = new Map(made.map(({ kind, id, at }) => [`${kind} ${id}`, at]));
  const since = new Map<string, NotedEntry>();
  for (const each of restored)
    if (timeOf(each) > forkedAt && !inSaved.has(identity(each))) since.set(subjectOf(each), each);
  return saved
    .filter((each) => !inRestored.has(identity(each)))
    .map((entry) => {
      const subject = subjectOf(entry);
      const [at, own] = [madeAt.get(subject), since.get(subject)];
      if (at !== undefined && at.getTime() > forkedAt)
        return { ...entry, differs: `this ${subject} was made at ${at.toISOString()}` };
      if (own !== undefined && (own.action !== entry.action || own.thing !== entry.thing))
        return { ...entry, differs: `here: ${own.action} ${own.thing} at ${own.at.toISOString()}` };
      return entry;
    });
}

const timeOf = ({ at }: NotedEntry): number => at.getTime();

/** Identifies an entry, with its time in milliseconds because JSON has no finer one. */
const identity = ({ at, login, action, kind, thing }: NotedEntry): string =>
  [at.toISOString(), login, action, kind, thing].join(' ');

/**
 * Returns what two entries can disagree about. Something that was handed over is named without its new owner.
 */
function subjectOf({ action, kind, thing }: AuditEntry): string {
  const [first = '', ...rest] = thing.split('/');
  if (action === 'thing given') return `owner of ${kind} ${rest.join('/')}`;
  return action === 'source given' ? `source ${first}` : `${kind} ${thing}`;
}
