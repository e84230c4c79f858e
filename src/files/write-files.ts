// Writes all published documents as files that any web server can offer; see docs/api/files.md.
//
//   files under their names ──► index.json ──► files that it no longer names are deleted
//
// So even if a run stops at any moment, index.json names only files that exist and are complete.
import { open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ClientBase } from 'pg';
import { fetchRows } from '../database/fetch-rows.ts';
import { DataFile, type FileEntry } from './data-file.ts';
import { type SourceRow, fileSources } from './kinds.ts';

export interface Written {
  files: number;
  newFiles: number;
  removedFiles: number;
  bytes: number;
}

/** The first members of `index.json`. */
export interface IndexHead {
  /** The position in the list of changes. It comes first because we recognise our own index by it. */
  after: string;
  /** The day of the snapshot, in UTC. */
  date: string;
  /** The address of a page with the terms of use of the data. */
  terms: string | null;
}

const indexName = 'index.json';
/**
 * Matches all names that we give to complete and unfinished files. Any other file in the folder is not ours.
 */
const kinds = fileSources.flatMap(({ outputs }) => outputs.map(({ kind }) => kind)).join('|');
const ownName = new RegExp(
  `^((${kinds})-(\\d{4}-\\d\\d|undated)(-[0-9a-f]{16}\\.(ndjson|csv)\\.gz|\\.(ndjson|csv)\\.gz\\.part)|index\\.json\\.part)$`,
);
/** Few, because a full battle takes some kilobytes. */
const rowsAtOnce = 200;

/**
 * Returns the position in the list of changes from which a reader of the files can go on. Call it before the
 * snapshot is taken.
 */
export async function newestSequenceNumber(client: Pick<ClientBase, 'query'>): Promise<string> {
  const { rows } = await client.query<{ after: string }>(
    `select epoch || '.' || last as after from published.change_list`,
  );
  return rows[0]?.after ?? '';
}

/**
 * Writes the files and the index, and deletes what is no longer needed. Call it in a transaction that reads
 * one snapshot, and never twice at the same time for the same folder.
 */
export async function writeFiles(client: ClientBase, folder: string, head: IndexHead): Promise<Written> {
  // These are left over from a run that was stopped. We create the files again and never write into an
  // existing one, because it may be a link.
  await removeFiles(folder, (name) => name.endsWith('.part'));
  const files: FileEntry[] = [];
  let newFiles = 0;
  for await (const { isNew, ...entry } of dataFiles(client, folder)) {
    files.push(entry);
    if (isNew) newFiles += 1;
  }
  const lines = files.map((entry) => JSON.stringify(entry)).join(',\n');
  await replaceIndex(folder, `${JSON.stringify(head).slice(0, -1)},"files":[\n${lines}\n]}\n`);
  const kept = new Set(files.map(({ name }) => name));
  const removedFiles = await removeFiles(folder, (name) => !kept.has(name));
  return {
    files: files.length,
    newFiles,
    removedFiles,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** Returns true if the folder has no index.json, or one of ours. */
export async function isOurFolder(folder: string): Promise<boolean> {
  const text = await readFile(path.join(folder, indexName), 'utf8').catch(() => undefined);
  return text === undefined || text.startsWith('{"after":"');
}

async function* dataFiles(client: ClientBase, folder: string) {
  for (const { text, outputs } of fileSources) {
    let month: string | null | undefined;
    let underWay: DataFile[] = [];
    for await (const rows of fetchRows<SourceRow>(client, text, [], rowsAtOnce)) {
      for (const row of rows) {
        if (row.month !== month) {
          for (const file of underWay) yield file.complete();
          month = row.month;
          underWay = outputs.map((output) => new DataFile(folder, output, row.month));
        }
        for (const [index, file] of underWay.entries()) await file.add(outputs[index]?.lines(row) ?? []);
      }
    }
    for (const file of underWay) yield file.complete();
  }
}

async function replaceIndex(folder: string, text: string): Promise<void> {
  const index = path.join(folder, indexName);
  if ((await readFile(index, 'utf8').catch(() => undefined)) === text) return;
  await writeFile(`${index}.part`, text, { flag: 'wx', flush: true });
  // A power failure must not leave the new index without the files that it names.
  await syncFolder(folder);
  await rename(`${index}.part`, index);
  await syncFolder(folder);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Deletes some of our own files, and returns how many. */
async function removeFiles(folder: string, isOld: (name: string) => boolean): Promise<number> {
  const old = (await readdir(folder)).filter((name) => ownName.test(name) && isOld(name));
  for (const name of old) await rm(path.join(folder, name));
  return old.length;
}
