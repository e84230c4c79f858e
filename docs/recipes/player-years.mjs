// node player-years.mjs PLAYER [FIRST-YEAR]: the record of three years by faction, and the tournaments.
import { Wartable } from './client/wartable.mjs';

const { API = 'http://localhost:3000', KEY } = process.env;
const api = new Wartable({ baseUrl: API, key: KEY });
const [player, first = new Date().getFullYear() - 2] = process.argv.slice(2);
if (player === undefined) throw new Error('Give the public id of a player');

for (const year of [0, 1, 2].map((later) => Number(first) + later)) {
  const records = new Map();
  const slugs = new Set();
  const window = { from: `${year}-01-01`, to: `${year}-12-31` };
  for await (const battle of api.players.battles(player, window)) {
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
  const tournament = await api.tournaments.get(slug);
  if (tournament.status !== 'finished') return `${tournament.name}: ${tournament.status}`;
  for await (const { playerId, finalPlacement } of api.tournaments.participants(slug))
    if (playerId === player)
      return `${tournament.name}: place ${finalPlacement ?? '?'} of ${tournament.players}`;
  return tournament.name;
}
