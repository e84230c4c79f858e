// node player-years.mjs PLAYER [FIRST-YEAR]: the record of three years by faction, and the tournaments.
import { setTimeout as sleep } from 'node:timers/promises';

const { API = 'http://localhost:3000', KEY } = process.env;
const [player, first = new Date().getFullYear() - 2] = process.argv.slice(2);
if (player === undefined) throw new Error('Give the public id of a player');

for (const year of [0, 1, 2].map((later) => Number(first) + later)) {
  const records = new Map();
  const slugs = new Set();
  const window = `from=${year}-01-01&to=${year}-12-31&limit=100`;
  for await (const battle of rows(`/api/v1/users/${encodeURIComponent(player)}/battles?${window}`)) {
    if (battle.tournament !== null) slugs.add(battle.tournament);
    const { outcome, faction } = battle.players.find(({ playerId }) => playerId === player);
    if (outcome === null) continue; // not finished
    const name = faction ?? 'faction not known';
    const record = records.get(name) ?? { win: 0, draw: 0, loss: 0 };
    record[outcome] += 1;
    records.set(name, record);
  }
  console.log(year);
  const byName = [...records].toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, { win, draw, loss }] of byName)
    console.log(`  ${name}: ${win} won, ${draw} drawn, ${loss} lost`);
  for (const slug of slugs) console.log(`  ${await placeIn(slug)}`);
}

async function placeIn(slug) {
  const path = `/api/v1/tournaments/${encodeURIComponent(slug)}`;
  const { data: tournament } = await get(path);
  if (tournament.status !== 'finished') return `${tournament.name}: ${tournament.status}`;
  for await (const { playerId, finalPlacement } of rows(`${path}/participants?limit=100`))
    if (playerId === player)
      return `${tournament.name}: place ${finalPlacement ?? '?'} of ${tournament.players}`;
  return tournament.name;
}

async function* rows(address) {
  while (address !== null) {
    const { data, next } = await get(address);
    yield* data;
    address = next;
  }
}

async function get(address, tries = 5) {
  const headers = { Authorization: `Bearer ${KEY}` };
  const response = await fetch(new URL(address, API), { headers, signal: AbortSignal.timeout(10_000) });
  const answer = await response.json();
  if (response.ok) return answer;
  const retryAfter = Number(response.headers.get('retry-after')); // a 503 or 429 has it
  if (!retryAfter || tries === 1) throw new Error(answer.error.message);
  await sleep(retryAfter * 1000);
  return get(address, tries - 1);
}
