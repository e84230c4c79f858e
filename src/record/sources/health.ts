// Keeps track of how a source is doing: when it last sent something, how much was recorded and refused, and
// what the last refusal was. It is written outside the transactions of the import, so that two imports of one
// source never wait for each other.
import type { ClientBase } from 'pg';
import type { Problem } from '../feed/problem.ts';

/** The counts are written at most this often, and whenever something is refused. */
const atMostEveryMs = 1_000;

type Read = <T>(work: (client: ClientBase) => Promise<T>) => Promise<T>;

/** Collects what one import reports about its source. */
export class HealthOfSources {
  readonly #source: string;
  readonly #read: Read;
  #accepted = 0;
  #refused = 0;
  #refusal: string | undefined;
  #isClean = true;
  #writtenAt = 0;

  constructor(source: string, read: Read) {
    this.#source = source;
    this.#read = read;
  }

  accepted(records: number): void {
    this.#accepted += records;
  }

  refused(line: number, [problem]: Problem[]): void {
    this.#refused += 1;
    this.#isClean = false;
    if (problem) this.#refusal = `line ${line}: ${withoutFinding(problem)}`;
  }

  /** Writes the counts if something was refused, or if they were last written long enough ago. */
  async update(): Promise<void> {
    if (this.#refused > 0 || Date.now() - this.#writtenAt >= atMostEveryMs) await this.#write(false);
  }

  /** Writes the last counts. Call it when the import has reached its end. */
  async end(): Promise<void> {
    await this.#write(this.#isClean);
  }

  async #write(isCleanEnd: boolean): Promise<void> {
    const values = [this.#source, this.#accepted, this.#refused, this.#refusal ?? null, isCleanEnd];
    await this.#read((client) => client.query(noteHealth, values));
    this.#accepted = this.#refused = 0;
    this.#refusal = undefined;
    this.#writtenAt = Date.now();
  }
}

const noteHealth = `
  update record.source set last_sent_at = clock_timestamp(), accepted = accepted + $2, refused = refused + $3,
    last_refusal = coalesce($4, last_refusal),
    last_refused_at = case when $3 > 0 then clock_timestamp() else last_refused_at end,
    is_refusing = case when $5 then false else is_refusing or $3 > 0 end
  where name = $1`;

/** Records a source that sends for the first time. */
export async function addSource(client: ClientBase, source: string): Promise<void> {
  await client.query(
    `insert into record.source (name) select $1 where not exists (select from record.source where name = $1)
      on conflict do nothing`,
    [source],
  );
}

/** Notes that what was sent could not even become a feed, such as an organiser's sheet with mistakes. */
export async function noteFailure(
  client: Pick<ClientBase, 'query'>,
  source: string,
  reason: string,
): Promise<void> {
  await client.query(noteHealth, [source, 0, 1, withoutFinding({ path: '', message: reason }), false]);
}

/** Leaves out what was found, because it may be a person's name, and an erasure does not reach this text. */
function withoutFinding({ path, message }: Problem): string {
  const [wanted = ''] = message.split(/, found |"/, 1);
  return `${path === '' ? '' : `${path}: `}${wanted}`.trim().slice(0, 300);
}
