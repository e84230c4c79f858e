import { randomUUID } from 'node:crypto';
import { openSync, unlinkSync, writeSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

// node bench/map-child.ts, with an IPC channel
//
// A baseline server that is given answers by target and sends them from a Map. With a key it does what every
// answer of the API needs, in the plainest way: it checks the key, sends the headers of the API and writes a
// line to the log. Without a key it does none of this. It reports its port to the parent and ends with it.
export interface MapGiven {
  key: string | undefined;
  answers: Record<string, { body: string; headers: Record<string, string> }>;
}

const callers = new Map<string, string>();
const answers = new Map<string, { body: Buffer; headers: Record<string, string> }>();

const server = createServer((request, response) => {
  if (callers.size === 0) send(request, response);
  else sendAndLog(request, response);
});

function send({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const answer = answers.get(url);
  if (answer === undefined) return end(response, 404);
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': answer.body.length,
  });
  response.end(answer.body);
}

function sendAndLog({ url = '', method, headers }: IncomingMessage, response: ServerResponse): void {
  const began = performance.now();
  const caller = callers.get(headers.authorization ?? '');
  if (caller === undefined) return end(response, 401);
  const answer = answers.get(url);
  if (answer === undefined) return end(response, 404);
  const id = randomUUID();
  response.writeHead(200, { 'x-request-id': id, ...answer.headers, 'content-length': answer.body.length });
  response.end(answer.body);
  const ms = Math.round((performance.now() - began) * 10) / 10;
  log(
    `{"level":"info","time":"${new Date().toISOString()}","requestId":"${id}","method":"${method}","path":"${url}","status":200,"ms":${ms},"keyId":"${caller}","msg":"answered"}\n`,
  );
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-length': 0 }).end();
}

// Like the API, it writes the lines of 10 ms together into a file.
const logFile = path.join(tmpdir(), `wartable-bench-map-${process.pid}`);
const logTo = openSync(logFile, 'w');
unlinkSync(logFile);
let lines = '';

function log(line: string): void {
  if (lines === '') setTimeout(flush, 10);
  lines += line;
}

function flush(): void {
  writeSync(logTo, lines);
  lines = '';
}

server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));

process.on('message', (given: MapGiven) => {
  if (given.key !== undefined) callers.set(`Bearer ${given.key}`, randomUUID());
  for (const [target, { body, headers }] of Object.entries(given.answers))
    answers.set(target, { body: Buffer.from(body), headers });
  process.send?.({ kept: answers.size });
});
process.on('disconnect', () => process.exit());
