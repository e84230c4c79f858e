import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { HtmlValidate } from 'html-validate';
import { today } from '../evidence/evidence.ts';
import { freePort } from '../support/postgres.ts';
import { dayNumber } from '../../src/world/dates.ts';
import { eventFeed } from '../../src/world/one-event.ts';
import { isInstalled } from '../install/proxies.ts';
import { type Browser, startBrowser } from '../support/browser.ts';
import { wartable } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder } from '../support/preview.ts';
import { barriersOf } from './site-look.ts';

interface Opened {
  pages: number;
  links: number;
}

/**
 * Saves two events, and opens everything that their pages lead to, in Chromium: behind nginx, and from disk.
 */
export async function openSavedFolders(folder: string, size: 'small' | 'stated'): Promise<Opened> {
  const browser = await startBrowser();
  if (browser === undefined) throw new Error('it needs Chromium: apt-get install chromium');
  const sum = { pages: 0, links: 0 };
  try {
    await browser.look({ width: 390, scheme: 'light' });
    for (const status of ['finished', 'ongoing'] as const) {
      const page = path.join(folder, status);
      const options = {
        seed: 3,
        players: 16,
        format: 'groups+knockout',
        rounds: 3,
        start: dayNumber(today()),
      };
      const feed = path.join(folder, `${status}.ndjson`);
      await writeFile(
        feed,
        eventFeed(options, status)
          .map((record) => `${JSON.stringify(record)}\n`)
          .join(''),
      );
      const saving = ['preview', '--save', page, feed];
      const { code, stderr } = await wartable(saving, { TMPDIR: await temporaryFolder(folder) });
      assert.deepEqual([code, stderr], [0, '']);
      await validate(page);
      await behindNginx(folder, page, async (address) => {
        for (const base of [address, pathToFileURL(`${page}/`).href]) {
          const { pages, links } = await openAll(browser, base, page, size === 'stated');
          sum.pages += pages;
          sum.links += links;
        }
      });
    }
  } finally {
    await browser.close();
  }
  return sum;
}

async function validate(folder: string): Promise<void> {
  const validator = new HtmlValidate({
    extends: ['html-validate:recommended'],
    rules: { 'long-title': 'off', 'valid-id': ['error', { relaxed: true }] },
  });
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.html')) continue;
    const report = await validator.validateString(await readFile(path.join(folder, name), 'utf8'));
    const found = report.results.flatMap(({ messages }) =>
      messages.map(({ ruleId, line }) => `${name}:${line} ${ruleId}`),
    );
    assert.deepEqual(found, []);
  }
}

/** Opens every page once, beginning with the first page and following links, as a person would. */
async function openAll(browser: Browser, base: string, folder: string, axeOnAll: boolean): Promise<Opened> {
  const files = new Set(await readdir(folder));
  const axe = await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
  const look = { width: 390, scheme: 'light' as const };
  const todo = new Set([`${base}index.html`]);
  const kinds = new Set<string>();
  const [requestsBefore, complaintsBefore] = [browser.requested.length, browser.complaints.length];
  let links = 0;
  for (const address of todo) {
    const [kind = ''] = /^[a-z]+/.exec(address.slice(base.length)) ?? [];
    // From disk the bytes are the same, and axe-core would ask for the style sheet, which Chromium refuses.
    if (base.startsWith('http') && (axeOnAll || !kinds.has(kind)))
      assert.deepEqual(await barriersOf(browser, axe, address, look), []);
    else await browser.open(address);
    kinds.add(kind);
    const said =
      await browser.evaluate(`JSON.stringify({ at: location.href, isOurs: document.querySelector('main h1') !== null,
      links: [...document.querySelectorAll('a')].map(({ href }) => href) })`);
    const page = JSON.parse(String(said)) as { at: string; isOurs: boolean; links: string[] };
    assert.deepEqual([page.at, page.isOurs], [address, true]);
    for (const link of page.links) {
      const [target = ''] = link.split('#');
      assert.ok(
        target.startsWith(base) && files.has(target.slice(base.length)),
        `${address} leads to ${link}`,
      );
      links += 1;
      if (target.endsWith('.html')) todo.add(target);
      else if (base.startsWith('http')) assert.equal((await fetch(target)).status, 200, target);
    }
  }
  assert.equal(todo.size, [...files].filter((name) => name.endsWith('.html')).length);
  assert.deepEqual(
    browser.requested.slice(requestsBefore).filter((each) => !each.startsWith(base)),
    [],
  );
  assert.deepEqual(browser.complaints.slice(complaintsBefore), []);
  return { pages: todo.size, links };
}

async function behindNginx(
  folder: string,
  page: string,
  work: (address: string) => Promise<void>,
): Promise<void> {
  assert.ok(await isInstalled('nginx'), 'it needs nginx: apt-get install nginx-light');
  const port = await freePort();
  const conf = path.join(folder, 'nginx.conf');
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  await writeFile(
    conf,
    `daemon off; pid ${folder}/pid; events {}
http { access_log off; ${paths.join(' ')}
types { text/html html; text/css css; image/svg+xml svg; image/png png; text/csv csv; text/calendar ics; }
server { listen 127.0.0.1:${port}; location /cup/2026/ { alias ${page}/; } } }`,
  );
  const child = spawn('nginx', ['-c', conf, '-p', folder, '-e', path.join(folder, 'error.log')], {
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  try {
    const address = `http://127.0.0.1:${port}/cup/2026/`;
    await eventually(async () => assert.equal((await fetch(address)).status, 200));
    await work(address);
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}
