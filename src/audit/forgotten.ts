// Compares the audit of a restored database with one that was saved later. An id alone does not identify a
// key or an account: after a restore, the next key gets the id of a key that the restored database no longer
// knows.
import type { Pool } from '../database/pool.ts';
import { type Audit, type AuditEntry, type NotedEntry, readAudit } from './entries.ts';

export interface ForgottenEntry extends NotedEntry {
  /** The reason why the action must not be repeated: the database has changed in the meantime. */
  differs?: string;
  /** True if it closed something last, and an operator has opened the same thing since the restore. */
  isOpen?: true;
  /** The keys that have replaced a revoked one since the restore. */
  successors?: string[];
  /** The source for which an erased player was recorded who was not in the database. */
  recordedFor?: string | undefined;
}

/** A key or an account in the restored database. */
interface Made {
  kind: AuditEntry['kind'];
  id: string;
  at: Date;
  /** The key whose creation made it: the key itself, or the first one of the account. */
  key: string | null;
  /** The key that replaced it. */
  successor: string | null;
}

export interface SavedAudit extends Audit {
  /** True if the operator says that the file belongs to this database, although nothing shows it. */
  isTrusted: boolean;
}

/** Thrown if the saved audit cannot be compared with this database. */
export class ForeignAudit extends Error {}

/** Returns the entries of the saved audit that the database lacks, in their order. */
export async function findForgotten(
  database: Pick<Pool, 'query'>,
  saved: SavedAudit,
): Promise<ForgottenEntry[]> {
  const restored = await readAudit(database);
  if (!saved.isTrusted) refuseForeign(saved, restored);
  const { rows: made } = await database.query<Made>(
    `select 'key' as kind, id::text, created_at as at, id::text as key, rotated_to::text as successor from keys.key
      union all select 'account', id::text, created_at,
        (select min(key.id)::text from keys.key where account_id = account.id), null from keys.account`,
  );
  return compareAudits(saved, restored, made);
}

/**
 * Keys and entries in common prove nothing: an operator may delete old entries, and the first ones may have
 * been made after the backup.
 */
function refuseForeign(saved: Audit, restored: Audit): void {
  if (!isSameInstallation(saved, restored))
    throw new ForeignAudit(
      'The file was saved from another installation: give the newest audit of this one. If you know that it is about this database, add --same-installation.',
    );
  if (saved.entries.length === 0 && restored.entries.length > 0)
    throw new ForeignAudit(
      'The file has no entries, but the database has some, so it may have been saved after the accident: give an older one. If you know that it is complete, add --same-installation.',
    );
}

const isSameInstallation = (saved: Audit, restored: Audit): boolean =>
  saved.installation !== null && saved.installation === restored.installation;

function compareAudits(savedAudit: Audit, restoredAudit: Audit, made: Made[]): ForgottenEntry[] {
  const [saved, restored] = [savedAudit.entries, restoredAudit.entries];
  const [inSaved, inRestored] = [new Set(saved.map(identity)), new Set(restored.map(identity))];
  const others = new Map(
    made.filter(isOther(savedAudit, inSaved, restoredAudit)).map((each) => [`${each.kind} ${each.id}`, each]),
  );
  // Operators may delete old entries, so the file may lack some that are older than all of its own.
  const oldest = Math.min(...saved.map(timeOf));
  const since = new Map<string, NotedEntry>();
  for (const each of restored)
    if (timeOf(each) >= oldest && !inSaved.has(identity(each))) since.set(topicOf(each), each);
  const last = new Map(saved.map((each) => [topicOf(each), each]));
  return saved
    .filter((each) => !inRestored.has(identity(each)))
    .map((entry) => {
      const [other, own] = [others.get(`${entry.kind} ${entry.thing}`), since.get(topicOf(entry))];
      if (other !== undefined)
        return {
          ...entry,
          differs: `this ${other.kind} ${other.id} was made at ${other.at.toISOString()}`,
        };
      if (own !== undefined && (own.action !== entry.action || own.thing !== entry.thing))
        return {
          ...entry,
          differs: `here: ${own.action} ${own.thing} at ${own.at.toISOString()}`,
          ...(closing.has(entry.action) && last.get(topicOf(entry)) === entry && { isOpen: true }),
        };
      if (entry.action !== 'key revoked') return entry;
      return { ...entry, successors: successorsOf(entry.thing, made, others) };
    });
}

/** Actions that somebody can undo with the opposite action. Revoking and erasing have no opposite. */
const closing = new Set<AuditEntry['action']>(['account deactivated', 'tournament hidden']);

/**
 * Follows the rotations of a key since the restore, and returns the keys that were made in them. An earlier
 * successor was known when the key was revoked, and was left valid.
 */
function successorsOf(id: string, made: Made[], others: Map<string, Made>): string[] {
  const successors: string[] = [];
  const next = new Map(made.flatMap((each) => (each.kind === 'key' ? [[each.id, each.successor]] : [])));
  for (let key = next.get(id); key && others.has(`key ${key}`); key = next.get(key)) successors.push(key);
  return successors;
}

/**
 * Makes a function that returns true for a key or an account that was made after the restore, although the
 * saved audit may have another one with the same id. They are the same only if both audits have the entry
 * that made it. Times alone don't tell, because the broken database may have been in use until after the
 * restore.
 */
function isOther(saved: Audit, inSaved: Set<string>, restored: Audit): (made: Made) => boolean {
  const creationsIn = ({ entries }: Audit) =>
    new Map(entries.flatMap((each) => (each.action === 'key created' ? [[each.thing, each]] : [])));
  const [savedCreations, creations] = [creationsIn(saved), creationsIn(restored)];
  const oldest = Math.min(...saved.entries.map(timeOf));
  return ({ key }) => {
    const creation = creations.get(key ?? '');
    if (creation !== undefined && inSaved.has(identity(creation))) return false;
    if (savedCreations.has(key ?? '') || !isSameInstallation(saved, restored)) return true;
    // Otherwise its entry was deleted as an old one.
    return creation !== undefined && timeOf(creation) >= oldest;
  };
}

const timeOf = ({ at }: NotedEntry): number => at.getTime();

/** Identifies an entry, with its time in milliseconds because JSON has no finer one. */
const identity = ({ at, login, action, kind, thing }: NotedEntry): string =>
  [at.toISOString(), login, action, kind, thing].join(' ');

/**
 * Returns what an entry decides. Two entries contradict each other only if they decide the same: a new limit
 * says nothing about whether the account is active. Something that was handed over is named without its new
 * owner.
 */
function topicOf({ action, kind, thing }: AuditEntry): string {
  const [first = '', ...rest] = thing.split('/');
  if (action === 'thing given') return `owner of ${kind} ${rest.join('/')}`;
  return action === 'source given' ? `source ${first}` : `${topics[action]} of ${kind} ${thing}`;
}

const topics: Partial<Record<AuditEntry['action'], string>> = {
  'key created': 'creation',
  'key rotated': 'rotation',
  'key revoked': 'revocation',
  'account activated': 'activity',
  'account deactivated': 'activity',
  'account changed': 'limits',
  'tournament shown': 'visibility',
  'tournament hidden': 'visibility',
  'player erased': 'erasure',
  'guest erased': 'erasure',
};
