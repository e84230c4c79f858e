// Serves the widget, and under /standings the standings of one tournament. Only this process knows the key.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const { API = 'http://localhost:3000', KEY, TOURNAMENT = 'tidewatch-open-2025', PORT = 8080 } = process.env;
const everyMs = 1000 * (Number(process.env.POLL_SECONDS) || 15);
const address = `${API}/api/v1/tournaments/${encodeURIComponent(TOURNAMENT)}/standings`;
const page = await readFile(new URL('standings-widget.html', import.meta.url));
let kept; // the last good answer
let asking;
let askAgainAt = 0;

createServer(async (request, response) => {
  if (request.url === '/') return response.setHeader('Content-Type', 'text/html').end(page);
  if (request.url !== '/standings') return response.writeHead(404).end();
  // Any number of visitors cause one request to the API every 15 seconds.
  if (Date.now() >= askAgainAt) {
    askAgainAt = Date.now() + everyMs;
    asking = ask().catch((error) => console.error(error.message));
  }
  await asking;
  if (kept === undefined) return response.writeHead(502).end();
  const headers = { ETag: kept.etag, 'Cache-Control': 'no-cache', 'Content-Type': 'application/json' };
  const isKnown = request.headers['if-none-match'] === kept.etag;
  return response.writeHead(isKnown ? 304 : 200, headers).end(isKnown ? undefined : kept.body);
}).listen(PORT, '127.0.0.1', () => console.log(`http://localhost:${PORT}/`));

async function ask() {
  const headers = { Authorization: `Bearer ${KEY}`, ...(kept && { 'If-None-Match': kept.etag }) };
  const response = await fetch(address, { headers, signal: AbortSignal.timeout(10_000) });
  const retryAfter = Number(response.headers.get('retry-after')) || 0; // a 503 or 429 has it
  askAgainAt = Math.max(askAgainAt, Date.now() + 1000 * retryAfter);
  const body = await response.text();
  if (response.status === 200) kept = { etag: response.headers.get('etag'), body };
  else if (response.status !== 304) throw new Error(body);
}
