import { createReadStream } from 'node:fs';
import pg from 'pg';
import { migrate } from '../../src/database/migrate.ts';
import { createPool } from '../../src/database/pool.ts';
import { publishNow } from '../../src/publish/publish-now.ts';
import { publishBacklog } from '../../src/publish/publisher.ts';
import { importFeed } from '../../src/record/import.ts';
import { erasePerson } from '../../src/record/people/erase-person.ts';

// node harness/proofs/kill-child.ts import FEED | publish | erase PLAYER | migrate
//
// Does one task on DATABASE_URL, in small transactions, so that there are many moments between commits. With
// KILL_AT it kills itself, KILL_AFTER milliseconds after it has sent that many statements. Otherwise it
// prints the numbers of its statements.

/**
 * The number of statements sent when the task began, when its main transaction was committed (if there is
 * one), and when everything was done.
 */
export interface Statements {
  begun: number;
  committed?: number;
  sent: number;
}

const [work = '', what = ''] = process.argv.slice(2);
const { DATABASE_URL: url = '', KILL_AT, KILL_AFTER = '0' } = process.env;
const { prototype } = pg.Client;
type Send = (this: pg.Client, ...args: unknown[]) => unknown;
const { query: send } = prototype as unknown as { query: Send };
let sent = 0;
Object.assign(prototype, {
  query(this: pg.Client, ...args: unknown[]) {
    sent += 1;
    if (sent === Number(KILL_AT)) setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(KILL_AFTER));
    return send.apply(this, args);
  },
});

const pool = createPool(url, { applicationName: 'kill-child', size: 8 });
const works: Record<string, () => Promise<Omit<Statements, 'sent'>>> = {
  async import() {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { refused } = await importFeed(
      client,
      [{ name: what, chunks: createReadStream(what) as AsyncIterable<Buffer> }],
      { batchBytes: 150_000, onRefusal: (_, line, problems) => console.error(line, problems) },
    );
    await client.end();
    if (refused > 0) process.exitCode = 1;
    return { begun: 0 };
  },
  async publish() {
    const { failed } = await publishBacklog(pool, { maxBattles: 40 });
    if (failed.length > 0) process.exitCode = 1;
    return { begun: 0 };
  },
  async erase() {
    const begun = sent;
    const marks = await erasePerson(pool, { player: what });
    const committed = sent;
    if ((await publishNow(pool, marks)).length > 0) process.exitCode = 1;
    return { begun, committed };
  },
  async migrate() {
    await migrate(url);
    return { begun: 0 };
  },
};

const counted = await works[work]?.();
await pool.end();
console.log(JSON.stringify({ ...counted, sent }));
