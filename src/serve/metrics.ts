import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pool } from '../database/pool.ts';
import { requestsInFlight } from './in-flight.ts';

export interface Metrics {
  registry: Registry;
  countAnswer: (request: FastifyRequest, reply: FastifyReply) => void;
}

export interface MetricSources {
  keyQueries: () => number;
  isListening: () => boolean;
  pools: { [name: string]: Pool };
}

export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const seconds = new Histogram({
    name: 'wartable_request_seconds',
    help: 'Time from the request to the last byte of its answer, by route and status.',
    labelNames: ['route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3],
    registers,
  });
  new Gauge({
    name: 'wartable_requests_in_flight',
    help: 'Requests that are reading documents or sending them.',
    registers,
    collect() {
      this.set(requestsInFlight());
    },
  });
  new Counter({
    name: 'wartable_key_queries_total',
    help: 'Key look-ups that reached a database.',
    registers,
    collect() {
      this.reset();
      this.inc(sources.keyQueries());
    },
  });
  new Gauge({
    name: 'wartable_listening',
    help: '1 while notices from the primary are heard.',
    registers,
    collect() {
      this.set(sources.isListening() ? 1 : 0);
    },
  });
  new Gauge({
    name: 'wartable_pool_connections',
    help: 'Database connections by pool and state; waiting counts requests without one.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(sources.pools)) {
        this.set({ pool, state: 'busy' }, totalCount - idleCount);
        this.set({ pool, state: 'idle' }, idleCount);
        this.set({ pool, state: 'waiting' }, waitingCount);
      }
    },
  });

  return {
    registry,
    countAnswer: (request, reply) => {
      // The pattern, never the path: callers must not be able to make new series.
      const route = request.routeOptions.url ?? 'none';
      seconds.observe({ route, status: String(reply.statusCode) }, reply.elapsedTime / 1_000);
    },
  };
}
