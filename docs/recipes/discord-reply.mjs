// The endpoint of a Discord application: answers /standings with the top of a tournament's board.
import { createPublicKey, verify } from 'node:crypto';
import { createServer } from 'node:http';

const { API = 'http://localhost:3000', KEY, DISCORD_PUBLIC_KEY = '', PORT = 8080 } = process.env;
if (!/^[0-9a-f]{64}$/i.test(DISCORD_PUBLIC_KEY)) {
  console.error('Set DISCORD_PUBLIC_KEY to the public key of your application, 64 hexadecimal digits.');
  process.exit(1);
}
const x = Buffer.from(DISCORD_PUBLIC_KEY, 'hex').toString('base64url');
const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });

createServer(async (request, response) => {
  try {
    const body = await bodyOf(request);
    if (!isFromDiscord(request.headers, body)) return response.writeHead(401).end();
    const answer = JSON.stringify(await answerTo(JSON.parse(body)));
    return response.setHeader('Content-Type', 'application/json').end(answer);
  } catch (error) {
    console.error(error.message);
    return response.writeHead(500).end();
  }
}).listen(PORT, '127.0.0.1', () => console.log(`http://localhost:${PORT}/`));

async function bodyOf(request) {
  let body = Buffer.alloc(0);
  for await (const chunk of request) {
    body = Buffer.concat([body, chunk]);
    if (body.length > 100_000) throw new Error('The request is too large');
  }
  return body;
}

/** Discord sends requests with wrong signatures, too, and switches an endpoint off that accepts them. */
function isFromDiscord(headers, body) {
  const signature = Buffer.from(headers['x-signature-ed25519'] ?? '', 'hex');
  const signed = Buffer.concat([Buffer.from(headers['x-signature-timestamp'] ?? ''), body]);
  return verify(null, signed, publicKey, signature);
}

async function answerTo({ type, data }) {
  if (type === 1) return { type: 1 }; // a ping
  const slug = data.options?.find(({ name }) => name === 'tournament')?.value ?? '';
  const content = await topOf(slug).catch(({ message }) => `No standings: ${message}`);
  // A player may be called @everyone: nothing in this text calls anybody.
  return { type: 4, data: { content, allowed_mentions: { parse: [] } } };
}

async function topOf(slug) {
  const path = `/api/v1/tournaments/${encodeURIComponent(slug)}`;
  const { data: tournament } = await get(path);
  const boards = tournament.stages.filter(({ type }) => type === 'board');
  // A finished tournament has final standings. Before, the first board has all players.
  const board = boards.find(({ id }) => id === 'standings') ?? boards[0];
  if (board === undefined) throw new Error('This tournament has no board');
  const { data: rows } = await get(`${path}/standings?stage=${board.id}`);
  const lines = rows
    .filter(({ rank }) => rank !== null && rank <= 5) // ranks restart in each group
    .slice(0, 20)
    .map(({ group = '', rank, player, faction, wins, draws, losses }) =>
      plain(`${group} ${rank}. ${player ?? 'Deleted player'} (${faction ?? '?'}) ${wins}/${draws}/${losses}`),
    );
  const none = 'No result counts yet.';
  return [`**${plain(tournament.name)}**, ${plain(board.name)}`, ...(lines.length > 0 ? lines : [none])]
    .join('\n')
    .slice(0, 2000);
}

/** Names are text: Discord would read stars, links and quotes in them. */
function plain(text) {
  return text.trim().replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`);
}

async function get(path) {
  const headers = { Authorization: `Bearer ${KEY}` };
  // Discord waits for 3 seconds, and there are two requests.
  const response = await fetch(`${API}${path}`, { headers, signal: AbortSignal.timeout(1_200) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error.message);
  return answer;
}
