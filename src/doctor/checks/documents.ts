import { areOutdated } from '../../publish/mark-all.ts';
import { type Check, fault, type Finding } from '../finding.ts';
import { kinds, type Drift } from '../drift.ts';

/**
 * The number of things of one kind that are compared at once. Without `--thorough` this is the whole sample.
 */
const inABatch = 25;
const maxNamed = 20;

/** Compares published documents with a fresh derivation, which also checks them against the contract. */
export const documents: Check = async ({ pool, thorough }) => {
  if (await areOutdated(pool))
    return [fault('The documents were made by an earlier version of Wartable: run `wartable publish`.')];
  const drift: Drift[] = [];
  for (const { keys, compare } of kinds) {
    const { rows } = await pool.query<{ key: string }>(
      thorough
        ? `select key from (${keys((table) => table)}) as thing (key) order by key`
        : `select key from (${keys(sampleOf)}) as thing (key) order by random() limit ${inABatch}`,
    );
    for (let start = 0; start < rows.length; start += inABatch) {
      const batch = rows.slice(start, start + inABatch).map(({ key }) => key);
      drift.push(...(await compare(pool, batch)));
    }
  }
  const findings = drift.slice(0, maxNamed).map(findingOf);
  const more = drift.length - findings.length;
  if (more > 0) findings.push(fault(`${more} more things differ.`));
  return findings;
};

/**
 * Returns a random sample of a table, of at most about 200 pages, so that it takes the same time at any size.
 */
function sampleOf(table: string): string {
  const pages = `(select relpages from pg_class where oid = '${table}'::regclass)`;
  return `${table} tablesample system (least(100, 20000.0 / greatest(1, ${pages})))`;
}

function findingOf({ kind, key, reason }: Drift): Finding {
  return reason === undefined
    ? fault(
        `The documents of ${kind} ${key} differ from a fresh derivation, and it has no mark: run \`wartable publish --all\`.`,
      )
    : fault(`The ${kind} ${key} cannot be derived: ${reason}. Import it again with a correction.`);
}
