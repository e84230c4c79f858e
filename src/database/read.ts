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
 *                        └────────┴──► settled early (given up, or too late); the answer, if it still comes, is dropped
 *
 * The driver's own query asks for the description of the columns each time, and has a timer. This one asks once for each
 * connection, and one timer looks at all of them. It costs about half.
 */
export class Read implements Submittable, Timed {
  startedAt = 0;
  before: Timed | undefined;
  after: Timed | undefined;
  // The driver looks at these.
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
    // Here, not when it is sent: a value that cannot be written must not leave half a message.
    this.#values = values.map(asText);
    this.#limit = limit;
    this.#settle = settle;
  }

  start(pool: pg.Pool): void {
    this.#limit.add(this);
    pool.connect((error, client, release) => {
      if (error !== undefined || client === undefined) return this.#end(error);
      // It was given up meanwhile.
      if (this.#settle === undefined) return release();
      this.#release = release;
      client.query(this);
    });
  }

  /** The caller gets this error now. The connection goes back when the database answers after all. */
  giveUp(error: Error): void {
    this.#settle?.(error, []);
    this.#settle = undefined;
  }

  /** The same, and the connection is closed: its answer may never come. */
  endLate(): void {
    this.#end(new Error('Query read timeout'));
  }

  #end(error: unknown): void {
    this.#limit.remove(this);
    const [settle, release, rows] = [this.#settle, this.#release, this.#rows];
    this.#settle = undefined;
    this.#release = undefined;
    // The driver's objects live until a full garbage collection, and what they hold lives with them.
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
      // Thrown here, it would end the process.
      this.#unreadable ??= error;
    }
    this.#rows.push(row);
  }

  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}

  /** The driver calls this once: for the error, or for the end. */
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

/** What we use of the driver's connection. */
interface Connection {
  stream: { cork: () => void; uncork: () => void };
  parsedStatements: Record<string, string | undefined>;
  parse: (statement: Statement) => void;
  bind: (config: { statement: string; values: unknown[] }) => void;
  describe: (portal: { type: 'P'; name: '' }) => void;
  execute: (portal: { portal: ''; rows: 0 }) => void;
  sync: () => void;
  /** Ours: the columns of the statements that this connection has prepared. */
  columns?: Map<string, Column[]>;
}

/** A refused statement says nothing against its connection. */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR';
}

/** The driver's own way to write a value. Its types leave it out. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils;
const asText = (value: unknown): unknown => prepareValue(value);
