import pg from 'pg';
import type { QueryResultRow, Submittable } from 'pg';
import type { TimeLimit, Timed } from '../availability/time-limit.ts';

/** A statement that each connection prepares once. */
export interface Statement {
  name: string;
  text: string;
}

/**
 * One run of a statement on a connection of a pool.
 *
 *   waits for a connection ──► asks ──► settled, and the connection goes back
 *                        └────────┴──► settled early (given up, or too late); a later answer is dropped
 *
 * The driver's own query asks for a description of the columns each time and has its own timer. This class
 * asks once per connection, and one timer serves all reads, which costs about half.
 */
export class Read implements Submittable, Timed {
  startedAt = 0;
  before: Timed | undefined;
  after: Timed | undefined;
  // The driver reads these.
  readonly name: string;
  readonly text: string;

  readonly #values: unknown[];
  readonly #limit: TimeLimit<Read>;
  #settle: ((error: unknown, rows: QueryResultRow[]) => void) | undefined;
  #release: ((error?: Error | boolean) => void) | undefined;
  #rows: QueryResultRow[] = [];
  #columns: Column[] | undefined;
  #connection: Connection | undefined;
  #unreadable: unknown;

  constructor(
    { statement, values, limit }: { statement: Statement; values: unknown[]; limit: TimeLimit<Read> },
    settle: (error: unknown, rows: QueryResultRow[]) => void,
  ) {
    this.name = statement.name;
    this.text = statement.text;
    // Convert the values here rather than when they are sent, because a value that cannot be written must not
    // leave half a message behind.
    this.#values = values.map(asText);
    this.#limit = limit;
    this.#settle = settle;
  }

  start(pool: pg.Pool): void {
    this.#limit.add(this);
    pool.connect((error, client, release) => {
      if (error !== undefined || client === undefined) return this.#end(error);
      // The read was given up meanwhile.
      if (this.#settle === undefined) return release();
      this.#release = release;
      client.query(this);
    });
  }

  /** Rejects with this error now. The connection goes back to the pool if the database answers after all. */
  giveUp(error: Error): void {
    this.#settle?.(error, []);
    this.#settle = undefined;
  }

  /** Rejects now and closes the connection, because its answer may never come. */
  endLate(): void {
    this.#end(new Error('Query read timeout'));
  }

  #end(error: unknown): void {
    this.#limit.remove(this);
    const [settle, release, rows] = [this.#settle, this.#release, this.#rows];
    this.#settle = undefined;
    this.#release = undefined;
    // The driver's objects live until a full garbage collection, and so does everything that they hold.
    this.#rows = [];
    release?.(isRefusal(error) ? false : error instanceof Error);
    settle?.(error ?? undefined, rows);
  }

  submit(connection: pg.Connection): void {
    const to = connection as unknown as Connection;
    this.#connection = to;
    const { name, text } = this;
    this.#columns = to.columns?.get(name);
    to.stream.cork();
    try {
      if (to.parsedStatements[name] === undefined) to.parse({ name, text });
      to.bind({ statement: name, values: this.#values });
      if (this.#columns === undefined) to.describe({ type: 'P', name: '' });
      to.execute({ portal: '', rows: 0 });
      to.sync();
    } finally {
      to.stream.uncork();
    }
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: pg.types.getTypeParser(dataTypeID, 'text') as (text: string) => unknown,
    }));
    const connection = this.#connection as Connection;
    connection.columns ??= new Map();
    connection.columns.set(this.name, this.#columns);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const row: QueryResultRow = {};
    try {
      for (const [i, { name, parse }] of (this.#columns ?? []).entries()) {
        const text = fields[i] ?? null;
        row[name] = text === null ? null : parse(text);
      }
    } catch (error) {
      // An error thrown here would end the process.
      this.#unreadable ??= error;
    }
    this.#rows.push(row);
  }

  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}

  /** The driver calls either this or `handleReadyForQuery`, and only once. */
  handleError(error: unknown): void {
    this.#end(error);
  }

  handleReadyForQuery(): void {
    this.#end(this.#unreadable);
  }
}

interface Column {
  name: string;
  parse: (text: string) => unknown;
}

/** The part of the driver's connection that we use. */
interface Connection {
  stream: { cork: () => void; uncork: () => void };
  parsedStatements: Record<string, string | undefined>;
  parse: (statement: Statement) => void;
  bind: (config: { statement: string; values: unknown[] }) => void;
  describe: (portal: { type: 'P'; name: '' }) => void;
  execute: (portal: { portal: ''; rows: 0 }) => void;
  sync: () => void;
  /** Added by us: the columns of the statements that this connection has prepared. */
  columns?: Map<string, Column[]>;
}

/** Returns true if PostgreSQL refused the statement, which says nothing against the connection. */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR';
}

/** The driver's own way to write a value. It is missing from the driver's types. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils;
const asText = (value: unknown): unknown => prepareValue(value);
