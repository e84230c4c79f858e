import { createPool } from '../../src/database/pool.ts';
import { publishStale } from '../../src/publish/publisher.ts';

// Only publishing, in small transactions, so that there are many moments between commits. The proof kills this process.
const pool = createPool(process.env['DATABASE_URL'] ?? '', { applicationName: 'publish-child', size: 8 });
process.stdout.write('.');
const { failed } = await publishStale(pool, {
  mostBattles: 40,
  onProgress: () => process.stdout.write('.'),
});
await pool.end();
process.exitCode = failed.length > 0 ? 1 : 0;
