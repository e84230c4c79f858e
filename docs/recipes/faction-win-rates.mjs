// node faction-win-rates.mjs FROM TO: the win rate of each faction in the finished tournaments of a season.
import { setTimeout as sleep } from 'node:timers/promises';

const { API = 'http://localhost:3000', KEY } = process.env;
const [from, to] = process.argv.slice(2);
if (to === undefined) throw new Error('Give the first and the last day of the season, at most a year apart');

const factions = new Map();
for await (const { slug } of rows(`/api/v1/tournaments?status=finished&from=${from}&to=${to}&limit=100`)) {
  for await (const { players } of rows(`/api/v1/tournaments/${encodeURIComponent(slug)}/battles?limit=100`)) {
    const [one, other] = players;
    if (one.outcome === null) continue; // not finished
    if (one.faction === null || other.faction === null) continue;
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
  const rate = (win + draw / 2) / battles; // a draw is half a win
  return { faction, battles, win, draw, loss, rate, between: wilson(rate, battles) };
});
lines.sort((a, b) => b.rate - a.rate || (a.faction < b.faction ? -1 : 1));
console.log('faction\tbattles\twon\tdrawn\tlost\trate\tfrom\tto');
for (const { faction, battles, win, draw, loss, rate, between } of lines)
  console.log([faction, battles, win, draw, loss, ...[rate, ...between].map(percent)].join('\t'));

/** The Wilson score interval at 95 %. */
function wilson(rate, n) {
  const z = 1.959964;
  const middle = rate + z ** 2 / (2 * n);
  const half = z * Math.sqrt((rate * (1 - rate)) / n + z ** 2 / (4 * n ** 2));
  return [middle - half, middle + half].map((bound) => bound / (1 + z ** 2 / n));
}

function percent(share) {
  return `${(Math.round(1000 * share) / 10).toFixed(1)} %`;
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
