import { test } from 'node:test';
import { everyValueOccurs } from '../proofs/every-value-occurs.ts';

test('every null, optional key and named value of the contract occurs in a world of 20,000 battles', async () => {
  const serverUrl = process.env['TEST_DATABASE_URL'] ?? '';
  for (const figure of await everyValueOccurs({ serverUrl, size: 'small' })) console.log(figure);
});
