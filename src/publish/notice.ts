import type { ClientBase } from 'pg';

/** What moved, and where to. Sent in the transaction that moved it: no notice without its commit, and the reverse. */
export interface Moved {
  tournament: ReadonlyMap<string, bigint>;
  battle: ReadonlyMap<string, bigint>;
  club: ReadonlyMap<string, bigint>;
  player: ReadonlyMap<string, bigint>;
  /** The list of all tournaments. */
  tournaments?: bigint;
}

const publishedChannel = 'wartable_published';

export async function sendNotices(client: ClientBase, moved: Moved): Promise<void> {
  const payloads = noticesOf(moved);
  if (payloads.length === 0) return;
  await client.query({
    text: 'select pg_notify($1, payload) from unnest($2::text[]) as payload',
    values: [publishedChannel, payloads],
  });
}

/** For changes too many to name. */
export async function tellEverything(client: ClientBase): Promise<void> {
  await client.query('select pg_notify($1, $2)', [publishedChannel, everything]);
}

const everything = '{"everything":true}';

/** PostgreSQL refuses payloads of 8,000 bytes; everything in ours is one byte a character. */
const longestPayload = 7_900;
/** Beyond this many, it is quicker for a server to distrust everything than to hear what moved. */
const mostNotices = 16;

export function noticesOf(moved: Moved): string[] {
  const pairs: [kind: string, pair: string][] = [];
  for (const kind of ['tournament', 'battle', 'club', 'player'] as const) {
    for (const [key, revision] of moved[kind]) pairs.push([kind, `"${key}":"${revision}"`]);
  }
  const payloads: string[] = [];
  let kinds = new Map<string, string[]>();
  let length = 0;
  const finish = (list = '') => {
    const members = [...kinds].map(([kind, texts]) => `"${kind}":{${texts.join(',')}}`);
    if (list !== '') members.push(list);
    if (members.length > 0) payloads.push(`{"moved":{${members.join(',')}}}`);
    kinds = new Map();
    length = 0;
  };
  for (const [kind, pair] of pairs) {
    // Room for the braces, the names of the kinds and the list.
    if (length + pair.length + 1 > longestPayload - 150) finish();
    const texts = kinds.get(kind);
    if (texts === undefined) kinds.set(kind, [pair]);
    else texts.push(pair);
    length += pair.length + 1;
  }
  finish(moved.tournaments === undefined ? '' : `"tournaments":"${moved.tournaments}"`);
  return payloads.length > mostNotices ? [everything] : payloads;
}
