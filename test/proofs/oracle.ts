import assert from 'node:assert/strict';
import { compareWithOracle } from '../publish/oracle/oracle.ts';
import { checkProperties } from '../publish/oracle/properties.ts';
import { publishEvents } from '../publish/oracle/publish-events.ts';
import { onClient, type Proof, withDatabase } from './proof.ts';

/**
 * Derives everything a second time from the facts, in plain SQL, and compares it with the published documents. Also
 * checks rules that hold for any data.
 */
export const oracle: Proof = ({ serverUrl, size }) =>
  withDatabase(serverUrl, async (url) => {
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
      const counts = [...compared].toSorted(([a], [b]) => (a < b ? -1 : 1));
      return [
        `${tournaments} tournaments (a world of ${events.battles} battles, and ${events.tight} tournaments with many ties), derived again in SQL in ${seconds} s: 0 differences.`,
        `Compared: ${counts.map(([kind, number]) => `${kind} ${number}`).join(', ')}.`,
        `These properties hold (number of cases): ${findings.map(({ property, looked }) => `${property} (${looked})`).join('; ')}.`,
      ];
    });
  });
