// node discord-results.mjs TOURNAMENT: posts each new result of a tournament into a channel of Discord.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Wartable } from './client/wartable.mjs';

const { API = 'http://localhost:3000', KEY, DISCORD_WEBHOOK, POLL_SECONDS, STATE } = process.env;
const [slug] = process.argv.slice(2);
if (slug === undefined || !KEY || !URL.canParse(DISCORD_WEBHOOK)) {
  console.error(
    'Give the slug of a tournament, and set KEY to an API key and DISCORD_WEBHOOK to your webhook.',
  );
  process.exit(1);
}
const file = STATE || `discord-results-${slug}.json`;
const api = new Wartable({ baseUrl: API, key: KEY });
const wanted = ({ kind, tournament }) => kind === 'battle' && tournament === slug;
// The sequence number to continue from, the changes that are pending, and what was posted about each battle.
const state = JSON.parse(await readFile(file, 'utf8').catch(() => '{"pending":[],"posted":{}}'));

console.log(`Following ${(await api.tournaments.get(slug)).name}`);
for (;;) {
  try {
    const { data, pending, after, more } = await api.changes(state.after, { pending: state.pending, wanted });
    const news = data.flatMap(({ key, document }) => newsOf(key, document));
    for (let i = 0; i < news.length; i += 10) await post(news.slice(i, i + 10));
    await save({ after, pending });
    if (more) continue;
  } catch (error) {
    console.error(error.message);
    // The sequence number is too old: start again with what comes from now on.
    if (error.status === 410) await save({ after: undefined, pending: [] });
  }
  await sleep(Number(POLL_SECONDS || 15) * 1000);
}

/** Nothing for a battle that is not finished, or when the same was posted before. */
function newsOf(id, battle) {
  if (battle === null || battle.players[0].outcome === null) return [];
  const [one, other] = battle.players.map(({ player, faction, victoryPoints }) => ({
    who: `${player} (${faction ?? '?'})`,
    points: victoryPoints ?? '?',
  }));
  const end = battle.winner === null ? 'a draw' : `${battle.winner} won`;
  const text = `Round ${battle.round}: ${one.who} ${one.points}–${other.points} ${other.who}, ${end}`;
  return text === state.posted[id] ? [] : [{ id, text }];
}

async function post(news) {
  const lines = news.map(({ id, text }) =>
    // The cut may go through a character.
    plain(id in state.posted ? `Corrected: ${text}` : text)
      .slice(0, 195)
      .toWellFormed(),
  );
  // A player may be called @everyone: nothing in this text calls anybody.
  const body = JSON.stringify({ content: lines.join('\n'), allowed_mentions: { parse: [] } });
  const headers = { 'Content-Type': 'application/json' };
  const signal = AbortSignal.timeout(10_000);
  const { ok, status } = await fetch(DISCORD_WEBHOOK, { method: 'POST', headers, body, signal });
  // It would refuse the same again, and all later results would wait.
  if (status === 400) return console.error(`Discord refused this message:\n${lines.join('\n')}`);
  if (!ok) throw new Error(`Discord answered ${status}`); // the next turn tries again
  for (const { id, text } of news) state.posted[id] = text;
  await save({});
}

/** Names are text: Discord would read stars, links and quotes in them. */
function plain(text) {
  return text.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`);
}

async function save(changed) {
  Object.assign(state, changed);
  await writeFile(`${file}.new`, JSON.stringify(state));
  await rename(`${file}.new`, file);
}
