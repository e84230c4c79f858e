import type { FeedRecord } from './feed/records.ts';
import type { AppendedMark } from './backlog/marks.ts';

/** A mark, and the line of the feed that caused it. */
export interface MarkOfLine {
  id: number;
  line: number;
}

/**
 * Finds the line that each mark belongs to. A transaction appends one mark for all lines that changed the
 * same thing. The mark belongs to the last of them: if that line cannot be published, the others cannot
 * either.
 */
export function marksOfLines(
  marks: AppendedMark[],
  lines: { line: number; record: FeedRecord }[],
  otherwise: number,
): MarkOfLine[] {
  const lineOf = new Map<string, number>();
  for (const { line, record } of lines) for (const name of namesOf(record)) lineOf.set(name, line);
  return marks.map(({ id, kind, key, part }) => ({
    id,
    line: (part && lineOf.get(`battle ${part}`)) || lineOf.get(`${kind} ${key}`) || otherwise,
  }));
}

/** Returns the things that the record may change. */
function namesOf(record: FeedRecord): string[] {
  const names: string[] = [];
  if (record.kind === 'remove') names.push(`${record.of} ${'id' in record ? record.id : ''}`);
  else if (record.kind === 'club' || record.kind === 'tournament')
    names.push(`${record.kind} ${record.slug}`);
  else if (record.kind === 'battlePack') names.push(`battlePack ${record.name}`);
  else if (record.kind === 'player' || record.kind === 'battle') names.push(`${record.kind} ${record.id}`);
  if ('tournament' in record) names.push(`tournament ${record.tournament}`);
  return names;
}
