import assert from 'node:assert/strict';
import { test } from 'node:test';
import { welcome } from './words.ts';

const running = { apiUrl: 'http://localhost:3000', siteUrl: 'http://localhost:3001', key: 'k', slug: 'cup' };

test('on Windows each request is one line that both cmd and PowerShell take', () => {
  const requests = welcome(running, true, true).match(/^curl.*$/gm) ?? [];
  assert.equal(requests.length, 3);
  // Both keep what is between double quotes as it is, as long as it has no quote, $, % or `.
  for (const request of requests)
    assert.match(
      request,
      /^curl\.exe -H "Authorization: Bearer k" "http:\/\/localhost:3000\/api\/v1\/[^"$%`]+"$/,
    );
});

test('in a shell each request is two lines', () => {
  assert.match(
    welcome(running, true, false),
    /^curl -H "Authorization: Bearer k" \\\n {2}"http:\/\/localhost:3000\/api\/v1\/tournaments\/cup\/standings"$/m,
  );
});
