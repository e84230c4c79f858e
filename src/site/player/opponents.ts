import { html, type Html } from '../parts/html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import type { Game } from './statements.ts';
import { score } from '../parts/battles.ts';
import { erasedName, name, person } from '../parts/names.ts';
import { record } from '../parts/numbers.ts';
import { longest, type RecordRow, recordTable, summed } from './record-table.ts';

/** One battle as the player of the page sees it. */
interface Played {
  game: Game;
  own: Game['players'][number];
  other: Game['players'][number];
}

/** Those with a result. */
export function playedBy(id: string, games: readonly Game[]): Played[] {
  return games.flatMap((game) => {
    const own = game.players.find(({ playerId }) => playerId === id);
    const other = game.players.find((side) => side !== own);
    return own?.outcome && other ? [{ game, own, other }] : [];
  });
}

const maxOpponents = 10;

/** The record against each opponent. The name leads to the person, the score to the last battle. */
export function opponentsSection(
  site: SiteSettings,
  played: readonly Played[],
  isAll: boolean,
): Html | false {
  const known = played.filter(({ other }) => other.playerId !== null || other.player !== erasedName);
  const opponents = [...Map.groupBy(known, ({ other }) => other.playerId ?? `guest ${other.player}`).values()]
    // The sort is stable, so of equals the newest comes first.
    .toSorted((a, b) => b.length - a.length);
  if (opponents.length === 0) return false;
  const { words } = site;
  const said = words.player;
  const more = opponents.length - maxOpponents;
  return html`<section aria-labelledby="opponents">
<h2 id="opponents">${said.opponents}</h2>
<table>
<caption>${isAll ? said.mostFirst : said.mostFirstOf(played.length)}</caption>
<thead><tr><th scope="col">${words.battles.opponent}</th><th scope="col" class="n"><abbr title="${said.recordTitle}">${said.record}</abbr></th><th scope="col" class="n">${said.last}</th></tr></thead>
<tbody>
${opponents.slice(0, maxOpponents).map((all) => opponentRow(site, all))}</tbody>
</table>
${more > 0 && html`<p class="sub">${said.otherOpponents(more)}</p>`}
</section>`;
}

function opponentRow(site: SiteSettings, all: readonly Played[]): Html {
  const [last] = all;
  if (last === undefined) return html``;
  const { game, own, other } = last;
  return html`<tr><th scope="row">${person(site, other)}${other.faction && html`<span class="sub clamp">${name(other.faction)}</span>`}</th><td class="n strong">${record(recordOf('', all))}</td><td class="n"><a href="${pathTo(site, `/battles/${game.id}`)}">${score(site, own, other)}<span class="vh">, ${site.words.battles.theBattle}</span></a>${game.date !== null && html`<span class="sub">${site.words.day(game.date)}</span>`}</td></tr>\n`;
}

/** The record against each faction, without mirrors: these say nothing about it. */
export function againstFactions(
  { words }: SiteSettings,
  played: readonly Played[],
  most: number,
): Html | false {
  const others = played.filter(({ own, other }) => other.faction !== null && other.faction !== own.faction);
  if (others.length === 0) return false;
  const rows = [...Map.groupBy(others, ({ other }) => other.faction ?? '')].map(([faction, all]) =>
    recordOf(name(faction), all),
  );
  return html`<section aria-labelledby="against">
<h2 id="against">${words.player.againstFactions}</h2>
${recordTable(words, words.player.faction, longest(words, rows, most))}
</section>`;
}

function recordOf(label: RecordRow['label'], all: readonly Played[]): RecordRow {
  const count = (wanted: string) => all.filter(({ own }) => own.outcome === wanted).length;
  const sums = { battles: all.length, wins: count('win'), draws: count('draw'), losses: count('loss') };
  return summed(label, [sums]);
}
