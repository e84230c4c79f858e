// Compares the audit of a database that was restored with one that was saved later. An id alone says nothing about keys and
// accounts: after a restore, the next key gets the id that a forgotten key had.
import type { ClientBase } from 'pg';
import type { AuditEntry, NotedEntry } from './entries.ts';

export interface ForgottenEntry extends NotedEntry {
  /** Why it must not be done again: the database says something else since the restore. */
  differs?: string;
}

/** A key or an account of the restored database. */
interface Made {
  kind: AuditEntry['kind'];
  id: string;
  at: Date;
}

/** The saved audit cannot be compared with this database. */
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
  // Up to here, both say the same, and a key or an account that was made before is the same one. Creating it left an entry.
  const forkedAt = Math.max(-Infinity, ...saved.filter((each) => inRestored.has(identity(each))).map(timeOf));
  if (forkedAt === -Infinity && saved.length > 0 && made.length > 0)
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

/** JSON has milliseconds. */
const identity = ({ at, login, action, kind, thing }: NotedEntry): string =>
  [at.toISOString(), login, action, kind, thing].join(' ');

/** What two entries can disagree about. What is given away is named without its new owner. */
function subjectOf({ action, kind, thing }: AuditEntry): string {
  const [first = '', ...rest] = thing.split('/');
  if (action === 'thing given') return `owner of ${kind} ${rest.join('/')}`;
  return action === 'source given' ? `source ${first}` : `${kind} ${thing}`;
}
