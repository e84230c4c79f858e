import type { ClientBase } from 'pg';
import type { Pool } from '../database/pool.ts';

/**
 * An operator's action that was carried out by a command.
 *
 * `thing` is an id or a slug, never a name, because a name must not outlive its erasure, and the account of a
 * key may be a person. A guest is `slug/participant-id`, or in a casual battle the id of the battle.
 * Something that was handed over is `new-owner/thing`, where the thing of a battle pack is the MD5 of its
 * name.
 */
export interface AuditEntry {
  action:
    | 'key created'
    | 'key rotated'
    | 'key revoked'
    | 'account activated'
    | 'account deactivated'
    | 'account changed'
    | 'tournament shown'
    | 'tournament hidden'
    | 'player erased'
    | 'guest erased'
    | 'thing given'
    | 'source given';
  kind: 'key' | 'account' | 'tournament' | 'player' | 'guest' | 'club' | 'battle' | 'battle pack' | 'source';
  thing: string;
}

export interface NotedEntry extends AuditEntry {
  at: Date;
  /** The database login that ran the command. */
  login: string;
}

/** Adds an audit entry in the transaction of the action itself, so there is never one without the other. */
export async function noteEntry(client: ClientBase, { action, kind, thing }: AuditEntry): Promise<void> {
  await client.query('select audit.note($1, $2, $3)', [action, kind, thing]);
}

/** What `wartable audit --json` writes and `wartable audit replay` reads. */
export interface Audit {
  /** The identity of the installation, which a restored database keeps. Null if it was lost. */
  installation: string | null;
  /** Set if older entries were left out. */
  since: Date | null;
  entries: NotedEntry[];
}

export async function readAudit(pool: Pick<Pool, 'query'>, since?: Date): Promise<Audit> {
  const { rows } = await pool.query<{ id: string }>('select id from audit.installation');
  return {
    installation: rows[0]?.id ?? null,
    since: since ?? null,
    entries: await listEntries(pool, since),
  };
}

/** Returns the audit entries, oldest first. Only the owner of the database may read them. */
export async function listEntries(pool: Pick<Pool, 'query'>, since?: Date): Promise<NotedEntry[]> {
  const { rows } = await pool.query<NotedEntry>(
    `select at, login, action, kind, thing from audit.entry where $1::timestamptz is null or at >= $1 order by id`,
    [since ?? null],
  );
  return rows;
}
