import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headerNames, headers, headerKey } from './headers.ts';

test('every fact and column has a name in six languages, and no name stands for two of them', () => {
  for (const kind of ['event', 'players', 'games'] as const) {
    for (const { column, names } of headerNames[kind]) {
      assert.deepEqual(names.map(({ language }) => language).join(' '), 'en de fr es it pl');
      assert.equal(headerKey(names[0]?.names[0] ?? ''), headerKey(column));
      for (const { language, names: inLanguage } of names) {
        assert.ok(inLanguage.length > 0, `${kind} ${column} ${language}`);
        for (const name of inLanguage) assert.equal(headers[kind].get(headerKey(name)), column, name);
      }
    }
  }
});
