export interface Block {
  /** The first word after the fence. */
  language: string;
  text: string;
  /** The heading above the block. */
  section: string;
  line: number;
}

/** Returns the code blocks of a page, in order. A block in a list is indented, but its text is not. */
export function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  let section = '';
  let open: (Block & { indent: string; fence: string }) | undefined;
  for (const [index, line] of page.split('\n').entries()) {
    if (open !== undefined) {
      if (line.trim() === open.fence) {
        const { indent: _, fence: __, ...block } = open;
        blocks.push(block);
        open = undefined;
      } else {
        open.text += `${line.startsWith(open.indent) ? line.slice(open.indent.length) : line}\n`;
      }
      continue;
    }
    section = /^#+ (.+)$/.exec(line)?.[1] ?? section;
    const [, indent, fence, language = ''] = /^( *)(```+|~~~+) *(\S*)/.exec(line) ?? [];
    if (indent === undefined || fence === undefined) continue;
    open = { language, text: '', section, line: index + 1, indent, fence };
  }
  if (open !== undefined) throw new Error(`The block in line ${open.line} has no end.`);
  return blocks;
}

/**
 * Returns the tables of a page: the cells of each row, without the header row and without the spaces that the
 * formatter adds.
 */
export function tablesOf(page: string): string[][][] {
  return page
    .split('\n\n')
    .filter((part) => part.startsWith('|'))
    .map((table) => table.trim().split('\n').slice(2).map(cellsOf));
}

function cellsOf(row: string): string[] {
  return row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/**
 * Returns a pattern for what a page shows, in which … stands for what differs from time to time. Alone on a
 * line it stands for any number of lines.
 */
export function patternOf(shown: string): RegExp {
  const escaped = shown.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll(/^…$/gm, '[^]*').replaceAll('…', '.*')}$`);
}
