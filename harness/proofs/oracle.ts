import assert from 'node:assert/strict';
import { compareChangingFactions } from '../oracle/changing-factions.ts';
import { compareExtra } from '../oracle/extra.ts';
import { compareWithOracle } from '../oracle/oracle.ts';
import { contractSchemas, OccurringValues } from '../oracle/occurring-values.ts';
import { checkProperties } from '../oracle/properties.ts';
import { publishEvents } from '../oracle/publish-events.ts';
import type pg from 'pg';
import { parseDocument } from '../support/parse-document.ts';
import { onClient, type Proof, withDatabase } from './proof.ts';

/**
 * Derives everything a second time from the facts, in plain SQL, and compares it with the published
 * documents: those of many events, and the numbers of factions after random changes. The answers of our own
 * endpoints are compared with documents and pages. It also checks rules that hold for any data, and that
 * every null, every optional key and every named value of the contract occurs, so that a client that is
 * tested on such a world meets them all.
 */
export const oracle: Proof = async ({ serverUrl, size }) => {
  const factions = await withDatabase(serverUrl, (url) => compareChangingFactions(url, size));
  const extra = await compareExtra(serverUrl, size);
  return withDatabase(serverUrl, async (url) => {
    const events =
      size === 'stated' ? { seed: 3, battles: 60_000, tight: 1500 } : { seed: 3, battles: 6000, tight: 120 };
    await publishEvents(url, events);
    return onClient(url, async (client) => {
      await client.query('analyze');
      const started = performance.now();
      const { differences, compared } = await compareWithOracle(client);
      const seconds = ((performance.now() - started) / 1000).toFixed(0);
      assert.deepEqual(differences.slice(0, 10), [], `${differences.length} differences from the oracle`);
      const findings = await checkProperties(client);
      for (const { property, broken, looked, examples } of findings) {
        assert.deepEqual(examples, [], `${property}: broken ${broken} times of ${looked}`);
        assert.ok(looked > 0, `${property}: nothing to look at`);
      }
      const tournaments = compared.get('tournament') ?? 0;
      assert.ok(tournaments >= (size === 'stated' ? 2000 : 200), `only ${tournaments} tournaments`);
      const values = await valuesIn(client);
      if (size === 'stated') assert.deepEqual(values.missing(), [], 'these never occur');
      const counts = [...compared].toSorted(([a], [b]) => (a < b ? -1 : 1));
      return [
        `${tournaments} tournaments, ${factions.compared} numbers of factions, ${extra.compared} of our own: 0 differences.`,
        `${tournaments} tournaments (a world of ${events.battles} battles, and ${events.tight} tournaments with many ties), derived again in SQL in ${seconds} s: 0 differences.`,
        `Compared: ${counts.map(([kind, number]) => `${kind} ${number}`).join(', ')}.`,
        factions.figure,
        extra.figure,
        `${values.counts.size} nulls, optional keys (present and absent) and named values in the contract; each occurs.`,
        `These properties hold (number of cases): ${findings.map(({ property, looked }) => `${property} (${looked})`).join('; ')}.`,
      ];
    });
  });
};

const schemaOf: Record<string, string> = {
  tournament: 'Tournament',
  standings: 'Standings',
  participant: 'Participant',
  battle: 'Battle',
  battle_detail: 'BattleDetail',
  club: 'Club',
};

async function valuesIn(client: pg.Client): Promise<OccurringValues> {
  const values = new OccurringValues(await contractSchemas(), Object.values(schemaOf));
  for (const [table, schema] of Object.entries(schemaOf)) {
    const { rows } = await client.query<{ document: string }>(`select document from published.${table}`);
    for (const { document } of rows) values.see(schema, parseDocument(document));
  }
  return values;
}
