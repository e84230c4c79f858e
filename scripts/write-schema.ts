import { writeFile } from 'node:fs/promises';
import { migrate } from '../src/database/migrate.ts';
import { startPostgres } from './postgres.ts';
import { schemaText } from './schema-text.ts';

// Writes migrations/schema.sql, from a throwaway PostgreSQL.
const postgres = await startPostgres();
try {
  await migrate(postgres.url);
  await writeFile(new URL('../migrations/schema.sql', import.meta.url), await schemaText(postgres.url));
} finally {
  await postgres.remove();
}
