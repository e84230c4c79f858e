import assert from 'node:assert/strict';

// A copy that is kept up to date only with `changes` and the API, as docs/api/following.md describes. It
// never reads everything.

export interface Answer {
  status: number;
  revision: number;
  text: string;
}

/** Asks for a target. Throws if no server answers. */
export type Get = (target: string) => Promise<Answer>;

interface Entry {
  kind: 'tournament' | 'club' | 'battle';
  key: string;
  change: 'changed' | 'gone';
  revision: number;
}

export class Mirror {
  readonly things = new Map<string, string>();
  readonly pending = new Map<string, Entry>();
  after: string;
  /** The number of entries that it read, and of answers that were too old for their entry. */
  readonly counts = { entries: 0, old: 0 };
  readonly #get: Get;

  constructor(get: Get, after: string) {
    this.#get = get;
    this.after = after;
  }

  async follow(limit: number): Promise<void> {
    for (let isLast = false; !isLast;) {
      const { status, text } = await this.#get(`/api/extra/v1/changes?limit=${limit}&after=${this.after}`);
      assert.equal(status, 200, text);
      const page = JSON.parse(text) as { data: Entry[]; next: string | null; after: string };
      for (const entry of page.data) this.pending.set(nameOf(entry), entry);
      this.counts.entries += page.data.length;
      assert.ok(placeOf(page.after) >= placeOf(this.after), `${page.after} after ${this.after}`);
      this.after = page.after;
      isLast = page.next === null;
    }
  }

  async settle(): Promise<void> {
    for (const [name, entry] of this.pending) {
      const { status, revision, text } = await readThing(this.#get, entry);
      const isOld =
        entry.change === 'gone'
          ? status === 200 && revision <= entry.revision
          : status === 404 || revision < entry.revision;
      if (isOld) {
        this.counts.old += 1;
        continue;
      }
      if (status === 404) this.things.delete(name);
      else this.things.set(name, text);
      this.pending.delete(name);
    }
  }
}

/**
 * Reads a thing, and for a tournament also its standings and participants. The revision is the lowest of all
 * answers.
 */
export async function readThing(get: Get, { kind, key }: Pick<Entry, 'kind' | 'key'>): Promise<Answer> {
  const path = `/api/v1/${kind}s/${key}`;
  const answers = [await get(path)];
  const [{ status, text } = { status: 0, text: '' }] = answers;
  if (kind === 'tournament' && status === 200) {
    const { stages } = (JSON.parse(text) as { data: { stages: { id: string }[] } }).data;
    for (const { id } of stages) answers.push(await get(`${path}/standings?stage=${id}`));
    answers.push(await get(`${path}/participants?limit=100`));
    // Another server does not know it yet, or no longer knows it.
    if (answers.some((each) => each.status !== 200)) return { status, revision: -1, text };
  }
  return {
    status,
    revision: Math.min(...answers.map(({ revision }) => revision)),
    text: answers.map((each) => each.text).join('\n'),
  };
}

export function nameOf({ kind, key }: Pick<Entry, 'kind' | 'key'>): string {
  return `${kind} ${key}`;
}

function placeOf(after: string): number {
  return Number(after.split('.')[1]);
}
