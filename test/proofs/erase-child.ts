import pg from 'pg';
import { createPool } from '../../src/database/pool.ts';
import { publishNow } from '../../src/publish/publish-now.ts';
import { readDossier } from '../../src/record/people/dossier.ts';
import { erasePerson } from '../../src/record/people/erase-person.ts';
import { NamePattern } from '../../src/record/people/name-pattern.ts';
import { findPlayer } from '../../src/record/people/person.ts';

// Erases one player with the mentions, and publishes. The process kills itself while it runs its statement KILL_AT,
// KILL_AFTER milliseconds after sending it. It prints how many statements it sent.
const { DATABASE_URL = '', PLAYER = '', KILL_AT, KILL_AFTER = '0' } = process.env;
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

const pool = createPool(DATABASE_URL, { applicationName: 'erase-child', size: 8 });
const player = await findPlayer(pool, PLAYER);
if (!player?.name) throw new Error(`there is no player ${PLAYER}`);
const pattern = new NamePattern(player.name);
const { found } = await readDossier(pool, player, pattern);
const searched = sent;
const marks = await erasePerson(pool, { of: { player: PLAYER }, mentions: { found, pattern } });
const erased = sent;
const failed = await publishNow(pool, marks);
await pool.end();
console.log(JSON.stringify({ searched, erased, sent }));
process.exitCode = failed.length > 0 ? 1 : 0;
