import type { Logger } from 'pino';
import { errors } from '../contract/errors.ts';
import { isUnavailable, Overloaded } from '../database/unavailable.ts';
import type { AnswerCache, Found } from '../read/answer-cache.ts';
import type { Documents, Row } from '../read/reader.ts';
import type { UnreadBytes } from '../http/unread-bytes.ts';
import type { EncodedBody } from '../http/compress.ts';
import type { CountAnswer } from '../http/count-answer.ts';
import { etagOf, revisionsHeld } from '../http/etag.ts';
import type { PauseWatch } from '../http/pauses.ts';
import { Targets } from '../http/targets.ts';
import { traceparentOf } from '../http/traceparent.ts';
import type { Call } from './call.ts';
import { corsHeaders } from './cors.ts';
import { RefusedRequest } from '../http/refused.ts';
import { errorBody, errorHeaders, jsonContentType } from './errors.ts';
import type { Caller } from '../keys/look-up.ts';
import type { Plan } from './plan.ts';
import { pathForLog } from './protocol.ts';

export interface AnswererParts {
  documents: Documents;
  answers: AnswerCache;
  unread: UnreadBytes;
  pauses: PauseWatch;
  /** By the pattern of the route, not by its path: callers must not be able to create new series. */
  countAnswer: CountAnswer;
  logAnswer: (answered: Answered) => void;
  logger: Logger;
  /** While this is true, every answer closes its connection. */
  isDraining: () => boolean;
}

/** What the log says of an answer. */
export interface Answered {
  requestId: string;
  method: string;
  route: string;
  path: string;
  status: number;
  ms: number;
  caller: Caller;
  traceparent: string | undefined;
}

/** The answer to a target, until its cursors end. */
interface Meaning {
  key: string;
  route: string;
  path: string;
  until: number;
}

const noRoom = new Overloaded('this key has too many unread bytes');

/** Sends every answer of the API: from memory, from a database, or an error. It logs and counts them. */
export function createAnswerer(parts: AnswererParts) {
  const { answers, documents, unread } = parts;
  const targets = new Targets<Meaning>();

  function send(call: Call, status: number, headers: Record<string, string>, body?: EncodedBody): void {
    const { message, response } = call;
    if (response.headersSent) return;
    const lines: Record<string, string | number> = { 'x-request-id': call.id, ...corsHeaders, ...headers };
    if (call.share !== undefined)
      Object.assign(lines, call.share.headers, status === 304 ? call.share.becomeCheap() : undefined);
    if (parts.isDraining()) lines['connection'] = 'close';
    if (body !== undefined) {
      if (body.encoding !== undefined) lines['content-encoding'] = body.encoding;
      lines['content-length'] = body.bytes.length;
    }
    response.writeHead(status, lines);
    response.end(message.method === 'HEAD' ? undefined : body?.bytes);
    call.within(undefined);
    // An answer of a pipeline has no socket until its turn comes. Until then it holds its bytes.
    if (body !== undefined && (response.socket === null || message.socket.writableLength > 0)) {
      unread.add(call.owner, body.bytes, response);
      parts.pauses.watch(response, message.socket);
    }
    const ms = performance.now() - call.began;
    parts.countAnswer(call.route, status, ms);
    parts.logAnswer({
      requestId: call.id,
      method: message.method ?? '',
      route: call.route,
      path: call.path ?? pathForLog(message.url ?? ''),
      status,
      ms,
      caller: call.caller,
      traceparent: traceparentOf(message),
    });
  }

  /** A 304 has no headers that describe a body. */
  function sendFound(call: Call, { etag, body }: Found): void {
    const headers = { etag, 'cache-control': 'private, no-cache', vary: 'Authorization, Accept-Encoding' };
    if (body === undefined) send(call, 304, headers);
    else send(call, 200, { ...headers, 'content-type': jsonContentType }, body);
  }

  /** Admission looks at the unread bytes of the key that reads. Others share its read, or find the answer in memory. */
  function hasRoom({ owner, response }: Call, { body }: Found): boolean {
    return body === undefined || unread.takes(owner, body.bytes, response);
  }

  return {
    send,

    /** False when it must be planned and read. */
    fromMemory(call: Call): boolean {
      const { url = '', headers } = call.message;
      const meaning = targets.get(url);
      if (meaning === undefined || Date.now() >= meaning.until) return false;
      const found = answers.ready(meaning.key, headers);
      if (found === undefined || !hasRoom(call, found)) return false;
      call.route = meaning.route;
      call.path = meaning.path;
      answers.countHit();
      sendFound(call, found);
      return true;
    },

    async answer(call: Call, { identity, scope, statement, ...plan }: Plan): Promise<void> {
      const { url = '', headers } = call.message;
      const key = JSON.stringify(identity);
      const held = revisionsHeld(headers['if-none-match'], identity);
      const found = await answers.answer({
        key,
        wanted: headers,
        held,
        asker: call,
        read: async (query) => {
          const values = plan.values(held);
          const { rows, shown, isKeepable } = await documents.read<Row>({
            ...query,
            scope,
            statement,
            values,
            alsoShown: plan.alsoShown,
          });
          const [row] = rows;
          if (row === undefined) throw new RefusedRequest(plan.notFound);
          plan.check?.(row);
          const isHeld = held === null || held.includes(row.revision);
          const content = isHeld ? undefined : plan.content(row, rows);
          const also = shown.slice(1).map((each) => `${each.scope} ${each.revision}`);
          const etag = etagOf([...identity, ...also], row.revision);
          return { etag, scopes: shown, content, isKeepable, keptForMs: plan.keptForMs };
        },
      });
      if (call.isOver) return;
      call.path = pathForLog(url);
      targets.set(url, { key, route: call.route, path: call.path, until: plan.until });
      if (!hasRoom(call, found)) throw noRoom;
      sendFound(call, found);
    },

    /** The one place where a thrown error becomes an answer. Its details go to the log, never to the caller. */
    fail(call: Call, thrown: unknown): void {
      if (call.isOver || call.response.headersSent) return;
      const { error, headers } = refusalFor(thrown);
      if (error.status >= 500 && !(thrown instanceof RefusedRequest) && !(thrown instanceof Overloaded)) {
        const level = error.status === 500 ? 'error' : 'warn';
        parts.logger[level]({ requestId: call.id, err: thrown }, 'the request failed');
      }
      send(
        call,
        error.status,
        { ...errorHeaders(error), ...headers },
        { bytes: Buffer.from(errorBody(error)) },
      );
    },
  };
}

function refusalFor(thrown: unknown): RefusedRequest {
  if (thrown instanceof RefusedRequest) return thrown;
  return new RefusedRequest(isUnavailable(thrown) ? errors.unavailable : errors.internalError);
}
