import { bar } from './bar.ts';
import { crestOf } from './crest.ts';
import { html, joined, type Html } from '../html.ts';
import { name } from './names.ts';
import { record } from './numbers.ts';
import { type ListRow, rowList } from './rows.ts';
import type { Words } from '../words/en.ts';

export interface Results {
  wins: number;
  draws: number;
  losses: number;
}

/** The record with a faction or against it. Null stands for a faction that was not noted. */
export interface FactionRecord extends Results {
  faction: string | null;
  /** Further text about the record. */
  note?: string;
}

/**
 * Lists the records, those with the most battles first. The length of a bar shows how many battles there are,
 * its coloured part how many of them were won.
 */
export function factionRecords(words: Words, records: readonly FactionRecord[], most: number): Html {
  const said = words.player;
  const sorted = records.toSorted((a, b) => played(b) - played(a));
  const longest = Math.max(...sorted.map(played));
  const rows = sorted.slice(0, most).map(({ faction, note, ...results }): ListRow => ({
    crest: crestOf(faction),
    title: html`<span class="clamp">${faction === null ? said.notNoted : name(faction)}</span>${bar(played(results), results.wins, longest)}`,
    lines: note === undefined ? [] : [html`${note}`],
    end: html`<b>${record(results)}</b><span class="sub">${share(words, results)}</span>`,
  }));
  const others = sorted.slice(most);
  const more = others.length > 0 && html`${said.others(others.length)}: ${record(summed(others))}`;
  return html`${rowList(rows)}
<p class="sub">${joined([...(more ? [more] : []), said.bars], ' · ')}</p>`;
}

function share(words: Words, results: Results): string {
  const all = played(results);
  return all === 0 ? '–' : words.percent((100 * results.wins) / all, 0);
}

export function played({ wins, draws, losses }: Results): number {
  return wins + draws + losses;
}

export function summed(all: readonly Results[]): Results {
  const total = { wins: 0, draws: 0, losses: 0 };
  for (const { wins, draws, losses } of all) {
    total.wins += wins;
    total.draws += draws;
    total.losses += losses;
  }
  return total;
}
