import { bar } from './bar.ts';
import { crestOf } from './crest.ts';
import { html, joined, type Html } from '../html.ts';
import { name } from './names.ts';
import { winsDrawsLosses } from './numbers.ts';
import { type ListRow, rowList } from './rows.ts';
import { winRate } from '../../published/win-rate.ts';
import type { Words } from '../words/en.ts';

export interface WinsDrawsLosses {
  wins: number;
  draws: number;
  losses: number;
}

/** The record with a faction or against it. Null stands for a faction that was not noted. */
export interface ShownFactionRecord extends WinsDrawsLosses {
  faction: string | null;
  /** Further text about the record. */
  note?: string;
}

/**
 * Lists the records, those with the most battles first. The length of a bar shows how many battles there are,
 * its coloured part how many of them were won, with a draw as half a win.
 */
export function factionRecordTable(words: Words, records: readonly ShownFactionRecord[], most: number): Html {
  const t = words.player;
  const sorted = records.toSorted((a, b) => gamesPlayed(b) - gamesPlayed(a));
  const longest = Math.max(...sorted.map(gamesPlayed));
  const rows = sorted.slice(0, most).map(({ faction, note, ...results }): ListRow => ({
    crest: crestOf(faction),
    title: html`<span class="clamp">${faction === null ? t.notNoted : name(faction)}</span>${bar(gamesPlayed(results), results.wins + results.draws / 2, longest)}`,
    lines: note === undefined ? [] : [html`${note}`],
    end: html`<b>${winsDrawsLosses(results)}</b><span class="sub">${share(words, results)}</span>`,
  }));
  const others = sorted.slice(most);
  const more = others.length > 0 && html`${t.others(others.length)}: ${winsDrawsLosses(summed(others))}`;
  return html`${rowList(rows)}
<p class="sub">${joined([...(more ? [more] : []), t.bars], ' · ')}</p>`;
}

function share(words: Words, results: WinsDrawsLosses): string {
  const all = gamesPlayed(results);
  return all === 0 ? '–' : words.percent(winRate(results).rate, 0);
}

export function gamesPlayed({ wins, draws, losses }: WinsDrawsLosses): number {
  return wins + draws + losses;
}

export function summed(all: readonly WinsDrawsLosses[]): WinsDrawsLosses {
  const total = { wins: 0, draws: 0, losses: 0 };
  for (const { wins, draws, losses } of all) {
    total.wins += wins;
    total.draws += draws;
    total.losses += losses;
  }
  return total;
}
