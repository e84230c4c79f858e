import type { AddressInfo } from 'node:net';
import { routes } from '../src/api/routes.ts';
import { errors } from '../src/contract/errors.ts';
import { type Answer, Call } from '../src/http/call.ts';
import { createListener } from '../src/http/listener.ts';
import { createPauseWatch } from '../src/http/pauses.ts';
import { createUnreadBytes } from '../src/http/unread-bytes.ts';
import type { MapGiven } from './map-child.ts';

// node bench/listener-child.ts, with an IPC channel
//
// Shows what our listener adds to `node:http`: it sends answers that it was given, as from memory, to
// everybody and without a log.
const answers = new Map<string, Answer>();

const server = createListener(
  {
    undecodable: errors.malformedRequest,
    open: (message, response) => new Call(message, response, 'bench'),
    admitsNow: () => true,
    everyAnswer: () => ({}),
    refusal: () => ({ status: 404, headers: {} }),
  },
  routes.map(({ pattern }) => ({
    pattern,
    answer: ({ message: { url = '' } }) => ({
      headers: {},
      ...answers.get(url),
      kept: { key: url, until: Infinity },
    }),
  })),
  {
    answers: { ready: (key) => answers.get(key), countHit: () => {} },
    connections: { limit: () => {}, admits: () => true },
    unread: createUnreadBytes({ maxBytes: 1e9, onFreed: () => {} }),
    pauses: createPauseWatch(),
    countAnswer: () => {},
    isDraining: () => false,
  },
);

server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));

process.on('message', (given: MapGiven) => {
  for (const [target, { body }] of Object.entries(given.answers))
    answers.set(target, {
      headers: {},
      type: 'application/json; charset=utf-8',
      body: { bytes: Buffer.from(body) },
    });
  process.send?.({ kept: answers.size });
});
process.on('disconnect', () => process.exit());
