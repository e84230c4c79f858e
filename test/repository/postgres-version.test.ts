import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postgresVersions, startPostgres } from '../../harness/support/postgres.ts';
import { onClient } from '../../harness/proofs/proof.ts';

for (const version of postgresVersions) {
  test(`the throwaway PostgreSQL ${version} is a PostgreSQL ${version}`, async () => {
    const postgres = await startPostgres(version);
    try {
      const { rows } = await onClient(postgres.url, (client) =>
        client.query<{ found: string }>(
          `select split_part(current_setting('server_version'), '.', 1) as found`,
        ),
      );
      assert.deepEqual(rows, [{ found: version }]);
    } finally {
      await postgres.remove();
    }
  });
}
