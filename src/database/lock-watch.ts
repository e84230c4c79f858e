import type pg from 'pg';

export interface LockWatchOptions {
  /** Called with a line about each session that keeps ours waiting. The default writes to standard error. */
  tell?: (line: string) => void;
  /** Tests lower these two. */
  tellAfterMs?: number;
  endAfterMs?: number;
}

/** A connection, and the backend that ran its last transaction. */
export interface Backend {
  readonly client: pg.ClientBase;
  pid?: number;
  /** The start time of the server, which tells servers with the same process ids apart. */
  server?: string;
}

/**
 * Makes a session that stops in the middle of a transaction (a frozen process, a lost network) lose its
 * locks.
 */
export const idleBound = "set local idle_in_transaction_session_timeout = '60s'";

/** Runs the statement that opens a transaction, and learns the backend in the same round trip. */
export async function openTransaction(
  backend: Backend,
  statement: string,
  { bounded = true } = {},
): Promise<void> {
  const statements = [
    statement,
    ...(bounded ? [idleBound] : []),
    'select pg_backend_pid() as pid, pg_postmaster_start_time()::text as server',
  ];
  const results: unknown = await backend.client.query(statements.join('; '));
  Object.assign(backend, (results as pg.QueryResult<{ pid: number; server: string }>[]).at(-1)?.rows[0]);
}

/**
 * Watches for sessions that stand still while they hold a lock. The idle bound does not work inside COPY,
 * where a stopped client keeps its locks for as long as it stands still, so the session that waits has to
 * act. It reports the session that blocks it, and ends that session if it is one of ours and stands still. It
 * asks on a second connection, and only after it has waited for a while.
 */
export class LockWatch {
  readonly #pool: Pick<pg.Pool, 'query'>;
  readonly #tell: (line: string) => void;
  readonly #tellAfterMs: number;
  readonly #endAfterMs: number;
  readonly #told = new Set<string>();

  constructor(pool: Pick<pg.Pool, 'query'>, options: LockWatchOptions = {}) {
    this.#pool = pool;
    this.#tell = options.tell ?? ((line) => console.error(line));
    this.#tellAfterMs = options.tellAfterMs ?? 2_000;
    this.#endAfterMs = options.endAfterMs ?? 60_000;
  }

  async watch<T>(backend: Backend, work: () => Promise<T>): Promise<T> {
    const seen: Seen = { still: new Map(), missing: 0 };
    let isOver = false;
    const look = async (): Promise<void> => {
      // While the database is away there is nothing to see.
      await this.#look(backend, seen).catch(() => {});
      if (!isOver) timer = setTimeout(look, this.#tellAfterMs / 2);
    };
    let timer = setTimeout(look, this.#tellAfterMs);
    try {
      return await work();
    } finally {
      isOver = true;
      clearTimeout(timer);
    }
  }

  async #look(backend: Backend, seen: Seen): Promise<void> {
    const { pid, server } = backend;
    if (pid === undefined) return;
    const { rows } = await this.#pool.query<Blocker | NoBlocker>(blockers, [pid, server]);
    // A failover can cut a connection without any signal. The new server does not know our backend, so stop
    // waiting for it.
    seen.missing = rows.length === 0 ? seen.missing + 1 : 0;
    if (seen.missing === 2 && backend.pid === pid) disconnect(backend.client);
    const now = Date.now();
    const before = seen.still;
    seen.still = new Map();
    for (const row of rows) {
      if (row.pid === null || row.waitedMs < this.#tellAfterMs) continue;
      // A session of ours that is itself waiting for a lock reports its own blocker.
      if (row.isOurs && row.waitType === 'Lock') continue;
      this.#name(row);
      if (!row.isOurs || row.waitEvent !== 'ClientRead') continue;
      const since = before.get(row.trace) ?? now;
      seen.still.set(row.trace, since);
      if (now - since >= this.#endAfterMs) await this.#end(backend, row);
    }
  }

  #name(blocker: Blocker): void {
    if (this.#told.has(blocker.session)) return;
    this.#told.add(blocker.session);
    const next = blocker.isOurs
      ? `If it stands still for ${this.#endAfterMs / 1000} s, it is ended.`
      : 'Wait for it, or end it.';
    this.#tell(`waiting for a lock that ${nameOf(blocker)} holds. ${next}`);
  }

  async #end(backend: Backend, blocker: Blocker): Promise<void> {
    const { rows } = await this.#pool.query<{ ended: boolean }>(
      `select pg_terminate_backend(pid) as ended from (${blockers}) blocker
        where pid = $3 and trace = $4 and "waitEvent" = 'ClientRead'`,
      [backend.pid, backend.server, blocker.pid, blocker.trace],
    );
    if (rows[0]?.ended !== true) return;
    this.#tell(`ended ${nameOf(blocker)}: it stood still for ${this.#endAfterMs / 1000} s and held a lock.`);
  }
}

/** The observations of one watch. */
interface Seen {
  /** The time since which a session of ours has been waiting for its client, by trace. */
  still: Map<string, number>;
  /** The number of times in a row that the watched backend was not found. */
  missing: number;
}

interface Blocker {
  pid: number;
  /** Identifies the session, even if its process id is used again. */
  session: string;
  /** Changes with every sign of life, even inside COPY. */
  trace: string;
  application: string;
  login: string;
  state: string | null;
  waitType: string | null;
  waitEvent: string | null;
  isOurs: boolean;
  waitedMs: number;
}

/** The row for a backend that exists and waits for no lock. */
interface NoBlocker {
  pid: null;
}

const blockers = `
  select blocker.pid, blocker.pid || ' ' || blocker.backend_start as session,
    concat_ws(' ', blocker.pid, blocker.backend_start, blocker.xact_start, blocker.query_start, blocker.state_change,
      copy.bytes_processed) as trace,
    blocker.application_name as application, blocker.usename as login, blocker.state,
    blocker.wait_event_type as "waitType", blocker.wait_event as "waitEvent",
    blocker.usesysid = waiting.usesysid and blocker.application_name like 'wartable%' as "isOurs",
    coalesce(extract(epoch from clock_timestamp() - lock.waitstart) * 1000, 0)::float as "waitedMs"
  from pg_stat_activity waiting
    left join pg_locks lock on lock.pid = waiting.pid and not lock.granted
    left join pg_stat_activity blocker on lock.pid is not null and blocker.pid = any(pg_blocking_pids(waiting.pid))
    left join pg_stat_progress_copy copy on copy.pid = blocker.pid
  where waiting.pid = $1 and pg_postmaster_start_time()::text = $2`;

function nameOf({ pid, application, login, state }: Blocker): string {
  return `session ${pid} (${[application, `login ${login}`, state].filter(Boolean).join(', ')})`;
}

/** Disconnects, so that the query that waits for an answer fails at once. */
function disconnect(client: pg.ClientBase): void {
  void (client as pg.Client).end();
}
