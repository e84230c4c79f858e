import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { today } from '../evidence/evidence.ts';
import { startBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { type Preview, startPreview, temporaryFolder } from '../support/preview.ts';
import { type Proof, withFolder } from './proof.ts';
import { openSavedFolders } from './saved-folders.ts';

const sizes = { small: { edits: 3, kills: 1 }, stated: { edits: 30, kills: 20 } };

/**
 * Runs `wartable preview` on sheets that are edited, kills it, and saves its pages: in a browser, and behind
 * nginx.
 */
export const preview: Proof = ({ size }) =>
  withFolder(async (folder) => {
    const { edits, kills } = sizes[size];
    const [edited, killed, saved] = ['edited', 'killed', 'saved'].map((name) => path.join(folder, name));
    for (const each of [folder, edited, killed, saved]) await temporaryFolder(each ?? '');
    const mistaken = await editSheets(edited ?? '', edits);
    const left = await killPreviews(killed ?? '', kills, size === 'stated');
    const { pages, links } = await openSavedFolders(saved ?? '', size);
    return [
      `${edits} edits, ${kills} kills: no page lost, nothing left; ${pages} saved pages open.`,
      `${edits} edits of three sheets, ${mistaken} of them mistakes, while a browser had the page open: each good state was shown by itself, and no mistake removed a page.`,
      `${kills} runs killed at random moments: all processes ended by themselves${left}.`,
      `The folders of a finished event with groups and knockout and of a running one, behind nginx at /cup/2026/ and from disk in Chromium: ${pages} pages, ${links} links, all open; no request left the folder, the console is empty, axe-core and html-validate find nothing.`,
    ];
  });

const names = ['event.csv', 'players.csv', 'games.csv'];
const letters = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];

/** Returns the sheets of a running event of four tables, one of which has a result. */
function sheets(points: number): string[] {
  return [
    `slug,\nname,Edited Cup\nstatus,ongoing\npublished,no\nstart,${today()}\nsize,2000\nrounds,3\nscoring,3/1/0\n`,
    `no,name\n${letters.map((letter, index) => `${index + 1},Player ${letter}\n`).join('')}`,
    `round,table,player 1,player 2,vp 1,vp 2\n1,1,1,2,${points},7\n1,2,3,4,,\n1,3,5,6,,\n1,4,7,8,,\n`,
  ];
}

/** Functions that turn one of the good sheets into a wrong one. */
const mistakes: ((good: string[]) => string[])[] = [
  ([event = '', players = '', games = '']) => [event, players, games.replace('3,4', '3,Nobody')],
  ([event = '', players = '']) => [event, players, ''],
  ([event = '', players = '', games = '']) => [event.replace('ongoing', 'perhaps'), players, games],
  ([event = '', players = '', games = '']) => [event, players.replace('8,Player H', '7,Player H'), games],
  ([event = '', players = '', games = '']) => [event, players, games.replace(',7\n', ',many\n')],
  ([event = '', , games = '']) => [event, '\u0000\u0001\u0002', games],
  ([event = '', players = '', games = '']) => [event.replace('name,Edited Cup\n', ''), players, games],
  ([event = '', players = '', games = '']) => [event, players, `${games}1,1,1,1,,\n`],
  ([event = '', players = '', games = '']) => [event, players.replace('no,name', 'a,b'), games],
  ([event = '', players = '', games = '']) => [`${event}start,soon\n`, players, games],
];

async function editSheets(folder: string, edits: number): Promise<number> {
  const browser = await startBrowser();
  if (browser === undefined) throw new Error('it needs Chromium: apt-get install chromium');
  const write = async (texts: string[]) => {
    for (const [index, name] of names.entries()) await writeFile(path.join(folder, name), texts[index] ?? '');
  };
  await write(sheets(100));
  const running = await startPreview(folder, ...names);
  try {
    const [, address = ''] = await running.untilSaid(/^ {2}(http:\S+)$/m);
    await browser.open(address);
    // The page asks for itself every ten seconds. It is opened once, and never again.
    const shows = (points: number) =>
      eventually(async () => {
        const text = String(await browser.evaluate('document.querySelector("main").innerText'));
        assert.match(text, new RegExp(`\\b${points}\\b`));
      });
    await shows(100);
    let last = 100;
    let mistaken = 0;
    for (let edit = 1; edit <= edits; edit += 1) {
      if (edit % 3 === 0) {
        await write(mistakes[mistaken % mistakes.length]?.(sheets(100 + edit)) ?? []);
        await running.untilSaid(/^The page stays as it was\.$/m);
        mistaken += 1;
        assert.match(await (await fetch(address)).text(), new RegExp(`\\b${last}\\b`));
      } else {
        last = 100 + edit;
        await write(sheets(last));
        await running.untilSaid(/^preview: 8 participants/m);
      }
      await shows(last);
    }
    assert.deepEqual(browser.complaints, []);
    await running.end();
    assert.deepEqual(await readdir(path.join(folder, 'tmp')), []);
    return mistaken;
  } finally {
    running.kill();
    await browser.close();
  }
}

/** Kills previews. If a guard is killed, which takes more than a minute, describes what that left behind. */
async function killPreviews(folder: string, kills: number, alsoGuard: boolean): Promise<string> {
  for (const [index, name] of names.entries())
    await writeFile(path.join(folder, name), sheets(20)[index] ?? '');
  const temporary = path.join(folder, 'tmp');
  const start = (): Promise<Preview> => startPreview(folder, ...names);
  for (let turn = 0; turn < kills; turn += 1) {
    const running = await start();
    await sleep(Math.random() * 5_000);
    running.kill();
    await eventually(async () => assert.deepEqual(await processesOf(temporary), []));
    assert.deepEqual(await readdir(temporary), []);
  }
  if (!alsoGuard) return '';
  const running = await start();
  await running.untilSaid(/http:/);
  for (const { pid, command } of await processesOf(temporary))
    if (!command.includes('/bin/postgres')) process.kill(pid, 'SIGKILL');
  await sleep(1_000);
  assert.equal((await readdir(temporary)).length, 1);
  const next = await start();
  await next.untilSaid(/http:/);
  await next.end();
  assert.deepEqual(await readdir(temporary), []);
  await eventually(async () => assert.deepEqual(await processesOf(temporary), []));
  return '. Of one whose guard was killed, too, the next run deleted the folder, and then its PostgreSQL ended';
}

/** Returns all processes that use this temporary directory: the preview, its guard, its PostgreSQL. */
async function processesOf(temporary: string): Promise<{ pid: number; command: string }[]> {
  const found = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
    if (!(await read('environ')).split('\0').includes(`TMPDIR=${temporary}`)) continue;
    found.push({ pid: Number(pid), command: (await read('cmdline')).replaceAll('\0', ' ') });
  }
  return found;
}
