import type { BoardRow } from '../../../contract/standings.ts';
import { html, type Html } from '../html.ts';
import { name } from './names.ts';

/** How many players brought each faction, and how much they won. Undefined when no faction is known. */
export function factionChart(rows: readonly BoardRow[]): Html | undefined {
  const shares = sharesOf(rows);
  const most = shares[0]?.players;
  if (most === undefined) return undefined;
  const isPlayed = shares.some(({ battles }) => battles > 0);
  return html`<section aria-labelledby="factions">
<h2 id="factions">${isPlayed ? 'Factions played' : 'Factions'}</h2>
<table>
<caption>Length: players.${isPlayed && ' Coloured part: share of battles won.'}</caption>
<thead><tr><th scope="col">Faction</th><th scope="col"><span class="vh">Bar</span></th><th scope="col" class="n">Players</th>${isPlayed && html`<th scope="col" class="n">Won</th>`}</tr></thead>
<tbody>${shares.map((share) => shareRow(share, most, isPlayed))}
</tbody>
</table>
</section>`;
}

interface Share {
  faction: string;
  players: number;
  battles: number;
  wins: number;
}

function sharesOf(rows: readonly BoardRow[]): Share[] {
  const shares = new Map<string, Share>();
  for (const { faction, wins, draws, losses } of rows) {
    if (faction === null) continue;
    const share = shares.get(faction) ?? { faction, players: 0, battles: 0, wins: 0 };
    share.players += 1;
    share.battles += wins + draws + losses;
    share.wins += wins;
    shares.set(faction, share);
  }
  return [...shares.values()].toSorted((a, b) => b.players - a.players || (a.faction < b.faction ? -1 : 1));
}

function shareRow({ faction, players, battles, wins }: Share, most: number, isPlayed: boolean): Html {
  const won = battles === 0 ? 0 : wins / battles;
  const length = (100 * players) / most;
  const part = battles > 0 && html`<rect class="part" width="${(length * won).toFixed(1)}" height="10"/>`;
  return html`
<tr><th scope="row">${name(faction)}</th><td class="bar"><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="all" width="${length.toFixed(1)}" height="10"/>${part}</svg></td><td class="n">${players}</td>${isPlayed && html`<td class="n">${battles === 0 ? '–' : `${Math.round(100 * won)} %`}</td>`}</tr>`;
}
