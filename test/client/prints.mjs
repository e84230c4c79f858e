// node prints.mjs BASE KEY: everything that a program may print about a client and its errors.
import { inspect } from 'node:util';
import { Wartable } from '../../docs/recipes/client/wartable.mjs';

const [baseUrl, key] = process.argv.slice(2);
const api = new Wartable({ baseUrl, key });
const print = (thing) =>
  console.log(
    inspect(thing, { depth: 9, showHidden: true, getters: true }),
    JSON.stringify(thing),
    String(thing),
  );
print(api);
const attempts = [
  () => new Wartable({ baseUrl, key: `${key}\n` }),
  () => new Wartable({ baseUrl: key, key }),
  () => new Wartable({ baseUrl, key: [key] }),
  () => new Wartable({ baseUrl: `http://${key}@localhost`, key }),
  () => api.clubs.get('refused'),
  () => api.clubs.get('reset'),
  () => new Wartable({ baseUrl: 'http://127.0.0.1:1', key }).search('nobody there'),
  () => api.clubs.tournaments('foreign').next(),
];
for (const attempt of attempts) {
  try {
    await attempt();
  } catch (error) {
    print(error);
    console.log(error.stack, inspect(error.cause));
  }
}
