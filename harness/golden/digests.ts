import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { derivationVersions } from '../../src/publish/compare.ts';
import {
  type BattleDocuments,
  casualBattleDocuments,
  clubDocument,
  tournamentDocuments,
} from '../../src/publish/derive/documents.ts';
import type { BattleFacts, ClubFacts, TournamentFacts } from '../../src/record/facts/facts.ts';

type Kind = keyof typeof derivationVersions;

/**
 * The digest of all documents of a kind that were derived from a golden folder's facts, by kind, folder and
 * version.
 */
export type Digests = Record<string, Record<string, Record<string, string>>>;

/** The digests for the present version, by kind and golden folder. */
type Derived = Record<string, Record<string, string>>;

const folder = new URL('../../test/publish/golden/', import.meta.url);
export const digestsFile = new URL('digests.json', folder);

/** Derives the documents of every golden folder. */
export async function deriveDigests(): Promise<Derived> {
  const digests: Derived = {};
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  for (const name of names.toSorted()) {
    const facts: unknown = JSON.parse(await readFile(new URL(`${name}/facts.json`, folder), 'utf8'));
    for (const [kind, documents] of Object.entries(documentsOf(name, facts)))
      (digests[kind] ??= {})[name] = hash('sha256', JSON.stringify(documents, membersSorted));
  }
  return digests;
}

function documentsOf(name: string, facts: unknown): Partial<Record<Kind, unknown>> {
  if (name === 'casual-battles') return { battle: (facts as BattleFacts[]).map(casualBattle) };
  if (name === 'clubs') return { club: (facts as ClubFacts[]).map((each) => clubDocument(each)) };
  const { battles, ...tournament } = tournamentDocuments(facts as TournamentFacts);
  return { tournament, battle: battles };
}

const casualBattle = (battle: BattleFacts): BattleDocuments => casualBattleDocuments(battle);

/**
 * Sorts members. Documents are strings here, so their bytes count, but the order of the members around them
 * is not published.
 */
function membersSorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Adds the digests of these versions to the recorded ones. A recorded digest never changes. */
export function addDigests(recorded: Digests, versions: Record<string, number>, derived: Derived): Digests {
  return Object.fromEntries(
    Object.entries(derived).map(([kind, ofKind]) => [
      kind,
      addDigestsOf(kind, recorded[kind] ?? {}, versions[kind] ?? Number.NaN, ofKind),
    ]),
  );
}

function addDigestsOf(
  kind: string,
  recorded: Digests[string],
  version: number,
  derived: Derived[string] = {},
): Digests[string] {
  const newest = Math.max(...Object.values(recorded).flatMap((each) => Object.keys(each).map(Number)));
  if (newest > version) {
    throw new Error(
      `derivationVersions.${kind} is ${version}, but ${newest} was used already. ` +
        '`wartable publish` only replaces documents of lower versions: raise it in src/publish/compare.ts.',
    );
  }
  const changed = Object.entries(derived)
    .filter(([name, digest]) => (recorded[name]?.[version] ?? digest) !== digest)
    .map(([name]) => name);
  if (changed.length > 0) {
    throw new Error(
      `The documents of ${changed.join(', ')} differ from those that version ${version} made. ` +
        `Raise derivationVersions.${kind} in src/publish/compare.ts, then run \`npm run generate\` and commit the result.`,
    );
  }
  return Object.fromEntries(
    Object.entries(derived).map(([name, digest]) => [name, { ...recorded[name], [version]: digest }]),
  );
}
