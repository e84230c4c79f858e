import { innerRooms, rooms } from './rooms.ts';

const begin = '<!-- The rooms: made from scripts/rooms.ts by `npm run generate`. -->';
const end = '<!-- The end of the rooms. -->';
const width = 100;

/** Puts the drawing of the rooms into the text of ARCHITECTURE.md, between its two marks. */
export function withRoomsDrawn(page: string): string {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`ARCHITECTURE.md has no "${begin}" before "${end}"`);
  return page.slice(0, from) + roomsDrawn() + page.slice(to);
}

function roomsDrawn(): string {
  const inner = Object.entries(innerRooms).map(([name, table]) => `src/${name}/\n${drawn(table)}`);
  return `${begin}\n\n\`\`\`text\nsrc/\n${drawn(rooms)}\n\n${inner.join('\n\n')}\n\`\`\`\n\n`;
}

/** One line for each room, from the top to the bottom, so that every arrow leads to a line below it. */
function drawn(table: Readonly<Record<string, readonly string[]>>): string {
  const names = Object.keys(table);
  const column = Math.max(...names.map((name) => name.length)) + 2;
  const lines = names
    .toReversed()
    .map((name) => wrapped(name.padEnd(column), table[name] ?? [], ' '.repeat(column + 4)));
  return lines.join('\n');
}

function wrapped(name: string, allowed: readonly string[], indent: string): string {
  if (allowed.length === 0) return `  ${name.trimEnd()}`;
  let text = `  ${name}→`;
  let used = text.length;
  for (const each of allowed) {
    if (used + each.length + 1 > width) {
      text += `\n${indent.slice(0, -1)}`;
      used = indent.length - 1;
    }
    text += ` ${each}`;
    used += each.length + 1;
  }
  return text;
}
