// The notice by which the publisher tells the servers which revisions moved.

export const publishedChannel = 'wartable_published';

export const movedKinds = ['tournament', 'battle', 'club', 'player'] as const;
export type MovedKind = (typeof movedKinds)[number];

/**
 * The lists that have one revision each: all tournaments, the names that the search finds, the changes, and
 * the faction statistics.
 */
export const movedLists = ['tournaments', 'search', 'changes', 'factions'] as const;
export type MovedList = (typeof movedLists)[number];

/** New revisions of things, by kind and key, and of lists. Kinds and lists without any may be absent. */
export type MovedThings = { [kind in MovedKind]?: ReadonlyMap<string, bigint> } & {
  [list in MovedList]?: bigint | undefined;
};

/** The payload for changes that are too many to name. */
export const everythingNotice = '{"everything":true}';

/** PostgreSQL refuses payloads of 8,000 bytes. Keys and revisions have one byte per character. */
const longestPayload = 7_900;
/**
 * If more notices than this would be needed, a single one says that everything has changed, because that is
 * faster for the servers than reading them all.
 */
const maxNotices = 16;

/** Returns the payloads to send: none if nothing moved, several if one would be too long. */
export function encodeNotices(moved: MovedThings): string[] {
  const payloads: string[] = [];
  let kinds = new Map<string, string[]>();
  let length = 0;
  const finish = (lists: string[] = []) => {
    const members = [...kinds].map(([kind, texts]) => `"${kind}":{${texts.join(',')}}`);
    members.push(...lists);
    if (members.length > 0) payloads.push(`{"moved":{${members.join(',')}}}`);
    kinds = new Map();
    length = 0;
  };
  for (const kind of movedKinds) {
    for (const [key, revision] of moved[kind] ?? []) {
      const pair = `"${key}":"${revision}"`;
      // Leave room for the braces, the names of the kinds and the lists.
      if (length + pair.length + 1 > longestPayload - 150) finish();
      const texts = kinds.get(kind);
      if (texts === undefined) kinds.set(kind, [pair]);
      else texts.push(pair);
      length += pair.length + 1;
    }
  }
  finish(movedLists.flatMap((list) => (moved[list] === undefined ? [] : [`"${list}":"${moved[list]}"`])));
  return payloads.length > maxNotices ? [everythingNotice] : payloads;
}

/**
 * Decodes a payload. Any database user may send on this channel, so a payload that we cannot read means that
 * everything may have moved. So does one from a later version that names something we do not know.
 */
export function decodeNotice(payload: string): MovedThings | 'everything' {
  const notice = parsed(payload);
  if (!isObject(notice) || !isObject(notice['moved'])) return 'everything';
  const moved: MovedThings = {};
  for (const [member, value] of Object.entries(notice['moved'])) {
    const kind = movedKinds.find((each) => each === member);
    const list = movedLists.find((each) => each === member);
    if (list !== undefined && isRevision(value)) moved[list] = BigInt(value);
    else if (kind !== undefined && isObject(value)) {
      const entries = Object.entries(value);
      if (!entries.every(hasRevision)) return 'everything';
      moved[kind] = new Map(entries.map(([key, revision]) => [key, BigInt(revision)]));
    } else return 'everything';
  }
  return moved;
}

function hasRevision(entry: [string, unknown]): entry is [string, string] {
  return isRevision(entry[1]);
}

function isRevision(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9]{1,18}$/.test(value);
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
