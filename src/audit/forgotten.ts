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
  /** The key whose creation made it: the key itself, or the first one of the account. */
  key: string | null;
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
    `select 'key' as kind, id::text, created_at as at, id::text as key from keys.key
      union all select 'account', id::text, created_at, (select min(key.id)::text from keys.key where account_id = account.id)
        from keys.account`,
  );
  return compareAudits(saved, restored, made);
}

function compareAudits(saved: NotedEntry[], restored: NotedEntry[], made: Made[]): ForgottenEntry[] {
  const [inSaved, inRestored] = [new Set(saved.map(identity)), new Set(restored.map(identity))];
  // An empty file is no audit of a database that has entries. It may have been saved after the accident.
  if (
    !saved.some((each) => inRestored.has(identity(each))) &&
    (saved.length > 0 ? made : restored).length > 0
  )
    throw new ForeignAudit(
      'The file and the database have no audit entry in common: give the newest audit of this database.',
    );
  const others = new Map(
    made
      .filter(isOther(saved, inSaved, restored))
      .map(({ kind, id, at }) => [`${kind} ${id}`, at.toISOString()]),
  );
  // Operators may delete old entries, so the file may lack some that are older than all of its own.
  const oldest = Math.min(...saved.map(timeOf));
  const since = new Map<string, NotedEntry>();
  for (const each of restored)
    if (timeOf(each) >= oldest && !inSaved.has(identity(each))) since.set(subjectOf(each), each);
  return saved
    .filter((each) => !inRestored.has(identity(each)))
    .map((entry) => {
      const subject = subjectOf(entry);
      const [at, own] = [others.get(subject), since.get(subject)];
      if (at !== undefined) return { ...entry, differs: `this ${subject} was made at ${at}` };
      if (own !== undefined && (own.action !== entry.action || own.thing !== entry.thing))
        return { ...entry, differs: `here: ${own.action} ${own.thing} at ${own.at.toISOString()}` };
      return entry;
    });
}

/**
 * Makes a function that returns true for a key or an account that was made after the restore, although the
 * saved audit may have another one with the same id. They are the same only if both audits have the entry
 * that made it. Times alone don't tell, because the broken database may have been in use until after the
 * restore.
 */
function isOther(saved: NotedEntry[], inSaved: Set<string>, restored: NotedEntry[]): (made: Made) => boolean {
  const creationsIn = (entries: NotedEntry[]) =>
    new Map(entries.flatMap((each) => (each.action === 'key created' ? [[each.thing, each]] : [])));
  const [savedCreations, creations] = [creationsIn(saved), creationsIn(restored)];
  const oldest = Math.min(...saved.map(timeOf));
  return ({ key }) => {
    const creation = creations.get(key ?? '');
    if (creation !== undefined && inSaved.has(identity(creation))) return false;
    if (savedCreations.has(key ?? '')) return true;
    // Otherwise its entry was deleted as an old one.
    return creation !== undefined && timeOf(creation) >= oldest;
  };
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
