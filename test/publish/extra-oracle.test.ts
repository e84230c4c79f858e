import { test } from 'node:test';
import { compareExtra } from '../../harness/oracle/extra.ts';

// This is the small size; `npm run prove oracle` takes 20,000 battles.

test('the tournaments of players and the rounds in play are what the documents and pages say', async (context) => {
  const { figure } = await compareExtra(process.env['TEST_DATABASE_URL'] ?? '', 'small');
  context.diagnostic(figure);
});
