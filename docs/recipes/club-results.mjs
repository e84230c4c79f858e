// node club-results.mjs CLUB: posts each new result of players who play for a club into a chat.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Wartable } from './client/wartable.mjs';

const { API = 'http://localhost:3000', KEY, CHAT_WEBHOOK, POLL_SECONDS, STATE } = process.env;
const [club] = process.argv.slice(2);
if (club === undefined || !KEY || !URL.canParse(CHAT_WEBHOOK)) {
  console.error('Give the slug of a club, and set KEY to an API key and CHAT_WEBHOOK to your webhook.');
  process.exit(1);
}
const file = STATE || `club-results-${club}.json`;
const api = new Wartable({ baseUrl: API, key: KEY });
const wanted = ({ kind, tournament }) => kind === 'battle' && tournament !== null;
// The sequence number to continue from, the changes that are pending, and the result of each battle that was posted.
const state = JSON.parse(await readFile(file, 'utf8').catch(() => '{"pending":[],"posted":{}}'));
// Old battles change, too: a player has another name. The calendar of a venue may be a day behind.
state.since ??= new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

console.log(`Following ${(await api.clubs.get(club)).name}`);
for (;;) {
  try {
    const { data, pending, after, more } = await api.changes(state.after, { pending: state.pending, wanted });
    const members = new Map(); // asked once for each tournament and turn
    for (const { key, document } of data) {
      if (document === null || document.players[0].outcome === null) continue;
      const { tournament, date, players } = document;
      const result = players.map(({ outcome, victoryPoints }) => `${outcome} ${victoryPoints}`).join();
      if (result === state.posted[key] || (date !== null && date < state.since)) continue;
      if (!members.has(tournament)) members.set(tournament, await membersIn(tournament));
      const own = players.filter(({ playerId }) => members.get(tournament).ids.has(playerId));
      const text = own.map((side) => lineOf(document, side, members.get(tournament).name)).join('\n');
      if (text !== '') await post(key, text, result);
    }
    await save({ after, pending });
    if (more) continue;
  } catch (error) {
    console.error(error.message);
    // The sequence number is too old: start again with what comes from now on.
    if (error.status === 410) await save({ after: undefined, pending: [] });
  }
  await sleep(Number(POLL_SECONDS || 15) * 1000);
}

/** The name of the tournament, and who plays for the club in it. Guests have no id. */
async function membersIn(slug) {
  const ids = new Set();
  for await (const { playerId, club: own } of api.tournaments.participants(slug))
    if (own === club && playerId !== null) ids.add(playerId);
  return { ids, name: (await api.tournaments.get(slug)).name };
}

function lineOf({ round, players }, side, event) {
  const foe = players.find((each) => each !== side);
  const verb = { win: 'beat', loss: 'lost to', draw: 'drew with' }[side.outcome];
  const points = `${side.victoryPoints ?? '?'}–${foe.victoryPoints ?? '?'}`;
  return `${side.player} ${verb} ${foe.player} ${points} (${event}, round ${round})`;
}

/** The shape that Discord takes. For Slack and Mattermost, send `{ text }`. */
async function post(id, text, result) {
  const content = plain(id in state.posted ? `Corrected: ${text}` : text)
    .slice(0, 1900)
    .toWellFormed();
  const { ok, status } = await fetch(CHAT_WEBHOOK, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    // A player may be called @everyone: nothing in this text calls anybody.
    body: JSON.stringify({ content, allowed_mentions: { parse: [] } }),
    signal: AbortSignal.timeout(10_000),
  });
  // It would refuse the same again, and all later results would wait.
  if (status === 400) return console.error(`The chat refused this message:\n${content}`);
  if (!ok) throw new Error(`The chat answered ${status}`); // the next turn tries again
  state.posted[id] = result;
  await save({});
}

/** Names are text: a chat would read stars, links and quotes in them. */
function plain(text) {
  return text.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`);
}

async function save(changed) {
  Object.assign(state, changed);
  await writeFile(`${file}.new`, JSON.stringify(state));
  await rename(`${file}.new`, file);
}
