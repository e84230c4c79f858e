import { once } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { madeOnce } from './made-once.ts';

/** The page and the script of the interactive reference, as the plugin of its makers writes them. */
export interface Reference {
  html: string;
  script: string;
}

/**
 * The plugin keeps 24 MB in memory for as long as its thread lives, and takes longer to load than the whole server. So a
 * thread of its own makes the page at the first request. `base` is the path of the site.
 */
export function referenceMaker(base: string, siteName: string): () => Promise<Reference> {
  return madeOnce(() => makeReference({ base, siteName }));
}

async function makeReference(given: { base: string; siteName: string }): Promise<Reference> {
  const file = path.join(import.meta.dirname, `reference-worker${path.extname(import.meta.filename)}`);
  const worker = new Worker(file, { workerData: given });
  const [reference] = (await once(worker, 'message')) as [Reference];
  await worker.terminate();
  return reference;
}
