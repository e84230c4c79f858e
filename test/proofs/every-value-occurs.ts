import assert from 'node:assert/strict';
import type pg from 'pg';
import { contractSchemas, OccurringValues } from '../publish/oracle/occurring-values.ts';
import { publishEvents } from '../publish/oracle/publish-events.ts';
import { parseDocument } from '../support/parse-document.ts';
import { onClient, type Proof, withDatabase } from './proof.ts';

/**
 * The documents of a world of 20,000 battles contain every null, every optional key (present and absent) and every enum
 * value of the contract. So a client that is tried on such a world meets everything that can occur.
 */
export const everyValueOccurs: Proof = ({ serverUrl }) =>
  withDatabase(serverUrl, async (url) => {
    // A match without a result needs an event that is in its knockout that day. Some worlds have only a few, or none.
    await publishEvents(url, { seed: 3, battles: 20_000, tight: 0 });
    const values = await onClient(url, valuesIn);
    assert.deepEqual(values.missing(), [], 'these never occur');
    const rare = [...values.counts].toSorted(([, a], [, b]) => a - b).slice(0, 5);
    return [
      `${values.counts.size} nulls, optional keys (present and absent) and named values in the contract; each occurs in a world of 20000 battles.`,
      `The rarest: ${rare.map(([value, number]) => `${value} (${number})`).join(', ')}.`,
    ];
  });

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
