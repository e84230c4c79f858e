import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import {
  casualBattleDocuments,
  clubDocument,
  tournamentDocuments,
} from '../../src/publish/derive/documents.ts';
import type { BattleFacts, ClubFacts, TournamentFacts } from '../../src/record/facts/facts.ts';

/** Per golden folder and `derivationVersion`, the digest of all documents that it made from the folder's facts. */
export type Digests = Record<string, Record<string, string>>;

const folder = new URL('golden/', import.meta.url);
export const digestsFile = new URL('digests.json', folder);

/** Derives the documents of every golden folder and returns a digest per folder. */
export async function deriveDigests(): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  for (const name of names.toSorted()) {
    const facts: unknown = JSON.parse(await readFile(new URL(`${name}/facts.json`, folder), 'utf8'));
    digests[name] = hash('sha256', JSON.stringify(documentsOf(name, facts), membersSorted));
  }
  return digests;
}

function documentsOf(name: string, facts: unknown): unknown {
  if (name === 'casual-battles') return (facts as BattleFacts[]).map((each) => casualBattleDocuments(each));
  if (name === 'clubs') return (facts as ClubFacts[]).map((each) => clubDocument(each));
  return tournamentDocuments(facts as TournamentFacts);
}

/** Documents are strings here, so their bytes count. The order of members around them is nothing that is published. */
function membersSorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Adds the digests of this version to the recorded ones. A recorded digest never changes. */
export function addDigests(recorded: Digests, version: number, derived: Record<string, string>): Digests {
  const newest = Math.max(...Object.values(recorded).flatMap((each) => Object.keys(each).map(Number)));
  if (newest > version) {
    throw new Error(
      `derivationVersion is ${version}, but ${newest} was used already. ` +
        '`wartable publish` only replaces documents of lower versions: raise it in src/publish/compare.ts.',
    );
  }
  const changed = Object.entries(derived)
    .filter(([name, digest]) => (recorded[name]?.[version] ?? digest) !== digest)
    .map(([name]) => name);
  if (changed.length > 0) {
    throw new Error(
      `The documents of ${changed.join(', ')} differ from those that version ${version} made. ` +
        'Raise derivationVersion in src/publish/compare.ts, then run `npm run generate` and commit the result.',
    );
  }
  return Object.fromEntries(
    Object.entries(derived).map(([name, digest]) => [name, { ...recorded[name], [version]: digest }]),
  );
}
