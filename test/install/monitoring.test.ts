import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { createMetrics } from '../../src/serve/metrics.ts';
import {
  alertRules,
  dashboardPanels,
  monitoringFolder,
  selectorsIn,
} from '../../harness/support/monitoring.ts';
import { isInstalled } from '../../harness/install/proxies.ts';

// Tests the alerts and the dashboard that we ship.

const rules = await alertRules();
const panels = await dashboardPanels();
const metrics = await allMetrics();
const names = new Set([...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));

test('every metric of the alerts and the dashboard exists', () => {
  const queries = [...rules.map(({ expr }) => expr), ...panels.flatMap(queriesOf)];
  const used = new Set(queries.flatMap(selectorsIn).map((selector) => selector.replace(/\{.*/s, '')));
  assert.ok(used.size > 20, `${used.size} metrics`);
  // Prometheus itself produces `up`.
  assert.deepEqual(
    [...used].filter((name) => name !== 'up' && !names.has(name.replace(/_(bucket|count|sum)$/, ''))),
    [],
  );
});

test('refusals have a series before the first one: its rate would be missed', () => {
  for (const series of ['read_wait_seconds_count{end="late"}', 'limited_total{by="account"}'])
    assert.ok(metrics.includes(`wartable_${series} 0\n`), series);
});

test('every alert says what it means and what to do, and has a test', async () => {
  const tests = await readFile(path.join(monitoringFolder, 'alerts.test.yml'), 'utf8');
  for (const { alert, labels, annotations } of rules) {
    assert.match(alert, /^Wartable[A-Z]/);
    assert.match(labels.severity, /^(critical|warning)$/);
    assert.match(annotations.summary, /\.$/, alert);
    assert.ok(annotations.description.length > 50, alert);
    assert.ok(tests.includes(`alertname="${alert}"`), `alerts.test.yml has no ${alert}`);
  }
});

test('every metric says what it means, and docs/monitoring.md names no other', async () => {
  const helped = new Set([...metrics.matchAll(/^# HELP (\S+) .*\w.*\.$/gm)].map(([, name = '']) => name));
  const own = [...names].filter((name) => name.startsWith('wartable_'));
  assert.ok(own.length > 25, own.join(' '));
  const page = await readFile(path.resolve(monitoringFolder, '../../docs/monitoring.md'), 'utf8');
  const named = [...page.matchAll(/`(wartable_\w+)`/g)].map(([, name = '']) => name);
  assert.deepEqual(
    [...own, ...named].filter((name) => !helped.has(name)),
    [],
  );
});

test('the panels of the dashboard have queries and places of their own', () => {
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  for (const panel of panels) {
    const { x, y, w, h } = panel.gridPos;
    assert.ok(x + w <= 24, panel.title);
    const covered = panels.filter(
      ({ gridPos: other }) =>
        other.x < x + w && x < other.x + other.w && other.y < y + h && y < other.y + other.h,
    );
    assert.deepEqual(covered, [panel]);
  }
});

test(
  'promtool takes the rules and the sample, and the tests of the rules pass',
  { skip: (await isInstalled('promtool')) ? false : 'no promtool here' },
  async () => {
    const run = (...args: string[]) => promisify(execFile)('promtool', args, { cwd: monitoringFolder });
    await run('check', 'rules', 'alerts.yml');
    await run('check', 'config', 'prometheus.yml');
    await run('test', 'rules', 'alerts.test.yml');
  },
);

function queriesOf({ targets = [] }: (typeof panels)[number]): string[] {
  return targets.map(({ expr }) => expr);
}

/** Returns the metrics of a server with all its parts. */
async function allMetrics(): Promise<string> {
  const zero = () => 0;
  const { registry } = createMetrics({
    documentReads: zero,
    waitingReads: zero,
    bytesInFlight: zero,
    maxBytesInFlight: 1,
    replicaFailures: zero,
    answerCache: () => ({ hits: 0, misses: 0, bytes: 0 }),
    keyQueries: zero,
    isReady: async () => true,
    areReadsPossible: async () => true,
    isListening: () => true,
    noticedRevisions: zero,
    backlog: async () => ({ lagSeconds: 0, marks: 0, stuckThings: 0, waitingChanges: 0 }),
    sources: async () => [
      { name: 'main', lastSentAt: 1, accepted: '1', refused: '0', isRefusing: false, expectedSeconds: 60 },
    ],
    tasks: async () => ({ backup: 1, files: 1 }),
    replicaLag: async () => [],
    databases: [],
    areLimitsShared: () => true,
    pools: {},
  });
  return registry.metrics();
}
