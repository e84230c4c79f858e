import { readFileSync } from 'node:fs';
import type { FixedPages } from './fixed-pages.ts';

const types = {
  'wartable.mjs': 'text/javascript; charset=utf-8',
  'wartable.d.mts': 'text/plain; charset=utf-8',
  'wartable.py': 'text/x-python; charset=utf-8',
  'mirror.mjs': 'text/javascript; charset=utf-8',
};

/**
 * Serves the clients from docs/recipes/client and the program of a guide. A page of any origin may import the
 * script.
 */
export function clientFiles(): FixedPages {
  const folder = new URL('../../../docs/recipes/client/', import.meta.url);
  return Object.fromEntries(
    Object.entries(types).map(([file, type]) => [
      `/client/${file}`,
      { type, text: readFileSync(new URL(file, folder)), headers: { 'access-control-allow-origin': '*' } },
    ]),
  );
}
