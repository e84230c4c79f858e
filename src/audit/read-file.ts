import { readFile } from 'node:fs/promises';
import type { Audit, NotedEntry } from './entries.ts';
import { ForeignAudit } from './forgotten.ts';

type Given = Omit<Audit, 'since' | 'entries'> & {
  since: string | null;
  entries: Record<keyof NotedEntry, string>[];
};

// The same as in the table audit.entry. Anything else was written by hand.
const words = /^[a-z]+( [a-z]+)*$/;
const anyThing = /^[A-Za-z0-9_/-]{1,200}$/;
const number = /^\d{1,18}$/;

/** Reads a file that `wartable audit --json` wrote. */
export async function readAuditFile(file: string): Promise<Audit> {
  const bytes = await readFile(file);
  try {
    const { installation, since, entries } = JSON.parse(decode(bytes)) as Given;
    return {
      installation,
      since: since === null ? null : momentOf(since),
      entries: entries.map(({ at, login, action, kind, thing }) => {
        const isText = [login, action, kind, thing].every((each) => typeof each === 'string');
        const isThing = kind === 'key' || kind === 'account' ? number : anyThing;
        if (!isText || !words.test(action) || !words.test(kind) || !isThing.test(thing))
          throw new Error(`${JSON.stringify([login, action, kind, thing])} is not an entry`);
        return {
          at: momentOf(at),
          login,
          action: action as NotedEntry['action'],
          kind: kind as NotedEntry['kind'],
          thing,
        };
      }),
    };
  } catch (error) {
    throw new ForeignAudit(`${file} is not what \`wartable audit --json\` writes.`, { cause: error });
  }
}

/** Decodes the file. On Windows, `>` may write UTF-16 or begin with a byte order mark. */
function decode(bytes: Uint8Array): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(bytes);
}

function momentOf(given: string): Date {
  const at = new Date(given);
  if (Number.isNaN(at.getTime())) throw new Error(`${given} is not a time`);
  return at;
}
