import { readFile } from 'node:fs/promises';
import type { NotedEntry } from './entries.ts';
import { ForeignAudit } from './forgotten.ts';

/** Reads a file that `wartable audit --json` wrote. */
export async function readAuditFile(file: string): Promise<NotedEntry[]> {
  const text = await readFile(file, 'utf8');
  try {
    return (JSON.parse(text) as Record<keyof NotedEntry, string>[]).map((given) => {
      const [action, kind] = [given.action as NotedEntry['action'], given.kind as NotedEntry['kind']];
      const { login, thing } = given;
      const at = new Date(given.at);
      if (
        Number.isNaN(at.getTime()) ||
        ![login, action, kind, thing].every((each) => typeof each === 'string')
      )
        throw new Error('an entry lacks something');
      return { at, login, action, kind, thing };
    });
  } catch (error) {
    throw new ForeignAudit(`${file} is not what \`wartable audit --json\` writes.`, { cause: error });
  }
}
