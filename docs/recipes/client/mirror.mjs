// node mirror.mjs: keeps a copy of all tournaments, their battles and the clubs that run them in mirror.json.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Wartable } from './wartable.mjs';

const { API = 'http://localhost:3000', KEY, POLL_SECONDS } = process.env;
const pollMs = (Number(POLL_SECONDS) || 15) * 1000;
const api = new Wartable({ baseUrl: API, key: KEY });
const saved = await readFile('mirror.json', 'utf8').catch(() => '{"things":{}}');
const mirror = JSON.parse(saved); // the sequence number, what is pending, and all things by kind and key

for (;;) {
  try {
    if (mirror.after === undefined) await begin();
    const { data, pending, after, more } = await api.changes(mirror.after, { pending: mirror.pending });
    for (const { kind, key, document } of data) {
      if (document === null) delete mirror.things[`${kind} ${key}`];
      else mirror.things[`${kind} ${key}`] = document;
    }
    Object.assign(mirror, { after, pending });
    await writeFile('mirror.json.new', JSON.stringify(mirror));
    await rename('mirror.json.new', 'mirror.json'); // never half a file
    console.log(`${Object.keys(mirror.things).length} things`);
    if (more) continue;
  } catch (error) {
    console.log(error.message); // what is pending stays pending
    if (error.status === 410) delete mirror.after;
  }
  await sleep(pollMs);
}

/** Gets the sequence number first and then everything, so that no change in between is missed. */
async function begin() {
  const { after } = await api.changes();
  await sleep(pollMs); // until every server has heard of the changes up to that number
  const names = new Set(Object.keys(mirror.things));
  for await (const { slug, organizer } of api.tournaments.list()) {
    names.add(`tournament ${slug}`);
    if (organizer !== null) names.add(`club ${organizer}`);
    for await (const { id } of api.tournaments.battles(slug)) names.add(`battle ${id}`);
  }
  // Whether it is there or gone, any answer will do: a `gone` is done with a 404, or with a revision above 0.
  const pending = [...names].map((name) => {
    const [kind, key] = name.split(' ');
    return { kind, key, change: 'gone', revision: 0, tournament: null };
  });
  Object.assign(mirror, { after, pending });
}
