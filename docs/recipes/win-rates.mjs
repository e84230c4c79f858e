// node win-rates.mjs FROM TO: the win rate of each faction in the finished tournaments of a season.
import { Wartable } from './client/wartable.mjs';

const { API = 'http://localhost:3000', KEY } = process.env;
const api = new Wartable({ baseUrl: API, key: KEY });
const [from, to] = process.argv.slice(2);
if (to === undefined) throw new Error('Give the first and the last day of the season, at most a year apart');

const factions = new Map();
for await (const { slug } of api.tournaments.list({ status: 'finished', from, to })) {
  for await (const { players } of api.tournaments.battles(slug)) {
    const [one, other] = players;
    if (one.outcome === null || one.faction === null || other.faction === null) continue;
    if (one.faction === other.faction) continue; // a mirror
    for (const { faction, outcome } of players) {
      const record = factions.get(faction) ?? { win: 0, draw: 0, loss: 0 };
      record[outcome] += 1;
      factions.set(faction, record);
    }
  }
}

const lines = [...factions].map(([faction, { win, draw, loss }]) => {
  const battles = win + draw + loss;
  return { columns: [faction, battles, win, draw, loss], rate: (win + draw / 2) / battles };
});
lines.sort((a, b) => b.rate - a.rate || (a.columns[0] < b.columns[0] ? -1 : 1));
console.log('faction\tbattles\twon\tdrawn\tlost\trate');
for (const { columns, rate } of lines)
  console.log([...columns, `${(Math.round(1000 * rate) / 10).toFixed(1)} %`].join('\t'));
