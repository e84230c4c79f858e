import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { LastUse } from '../../keys/last-use.ts';
import type { KeyVerifier } from '../../keys/verifier.ts';
import type { AnswerCache } from '../documents/answer-cache.ts';
import type { ByteBudget } from '../documents/byte-budget.ts';
import { isHeldIn } from '../http/etag.ts';
import type { ProgressWatch } from '../http/progress.ts';
import { traceparentOf } from '../http/traceparent.ts';
import type { HitLog } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { type AnsweredTargets, answerHeaders } from './answer.ts';
import { bearerToken } from './authenticate.ts';
import { corsHeaders } from './cors.ts';
import { jsonContentType } from './errors.ts';
import { hasBody, hasGoodHost, pathForLog } from './protocol.ts';

// Most requests repeat an answer that is in memory. They are answered here, in front of the framework, which costs more
// than everything else they need. A request that is unusual in any way goes to the framework, so that refusals have one
// source.

export interface Hits extends AnsweredTargets {
  /** Answers the request from memory. False when the framework has to answer it. */
  answer: (message: IncomingMessage, response: ServerResponse) => boolean;
}

export interface HitsParts {
  answers: AnswerCache;
  budget: ByteBudget;
  progress: ProgressWatch;
  verifier: KeyVerifier;
  lastUse: LastUse;
  metrics: Metrics;
  log: HitLog;
  isDraining: () => boolean;
  isLastOf: (socket: Socket) => boolean;
}

interface Target {
  /** Of the answer in the cache. */
  key: string;
  route: string;
  path: string;
  /** Then a list has other cursors. */
  until: number;
}

const longestTarget = 512;
/** The kernel takes so much for a caller who reads. It needs no room: a key whose reads fill its share still gets it. */
const takenAtOnce = 65_536;

export function createHits(parts: HitsParts): Hits {
  // Each of them belongs to an answer in memory and goes with it.
  const targets = new Map<string, Target>();
  parts.answers.onForgotten((target, key) => {
    if (targets.get(target)?.key === key) targets.delete(target);
  });

  function answer(message: IncomingMessage, response: ServerResponse): boolean {
    const target = targets.get(message.url ?? '');
    if (target === undefined || !isUsual(message) || Date.now() >= target.until) return false;
    const key = bearerToken(message);
    const caller = key === undefined ? undefined : parts.verifier.verified(key);
    if (caller === undefined) return false;
    const kept = parts.answers.kept(target.key);
    if (kept === undefined) return false;
    const { headers, method } = message;
    const isHeld = isHeldIn(headers['if-none-match'], kept.etag);
    const body = isHeld ? undefined : kept.body?.ready(headers['accept-encoding']);
    if (!isHeld && body === undefined) return false;
    // The framework waits for room.
    if (body !== undefined && body.bytes.length > takenAtOnce && !parts.budget.fits(caller.keyId, body.bytes))
      return false;

    const startedAt = performance.now();
    const requestId = randomUUID();
    const lines: Record<string, string | number> = {
      'x-request-id': requestId,
      ...corsHeaders,
      ...answerHeaders(kept.etag),
    };
    if (parts.isLastOf(message.socket) || parts.isDraining()) lines['connection'] = 'close';
    if (body !== undefined) {
      if (body.encoding !== undefined) lines['content-encoding'] = body.encoding;
      lines['content-type'] = jsonContentType;
      lines['content-length'] = body.bytes.length;
    }
    const status = body === undefined ? 304 : 200;
    response.writeHead(status, lines);
    response.end(method === 'HEAD' ? undefined : body?.bytes);
    if (body !== undefined && message.socket.writableLength > 0) {
      parts.budget.claimFor(caller.keyId, response).become(body.bytes);
      parts.progress.watch(response);
    }
    parts.answers.countHit();
    parts.lastUse.note(caller.keyId);
    const ms = performance.now() - startedAt;
    parts.metrics.countAnswer(target.route, status, ms);
    parts.log({
      requestId,
      method: method ?? '',
      route: target.route,
      path: target.path,
      status,
      ms,
      ...caller,
      traceparent: traceparentOf(message),
    });
    return true;
  }

  return {
    answer,
    remember(message, { key, route, until }) {
      const target = message.url ?? '';
      const known = targets.get(target);
      if (target.length > longestTarget || known?.key === key) return;
      if (!parts.answers.addTarget(key, target)) return;
      targets.set(target, { key, route, path: pathForLog(target), until });
    },
  };
}

export function isUsual(message: IncomingMessage): boolean {
  const { method, httpVersion, headers } = message;
  return (
    (method === 'GET' || method === 'HEAD') &&
    httpVersion === '1.1' &&
    hasGoodHost(message) &&
    headers.upgrade === undefined &&
    headers['content-length'] === undefined &&
    !hasBody(message)
  );
}
