export function markdownTable(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map(inCell).join(' | ')} |\n`;
  return [head, head.map(() => '---'), ...rows].map(line).join('');
}

function inCell(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
}
