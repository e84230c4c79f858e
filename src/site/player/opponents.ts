import { html, joined, type Html } from '../html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import type { PlayerGame } from './statements.ts';
import { score } from '../parts/battles.ts';
import { crestOf } from '../parts/crest.ts';
import { erasedName, name, participantLink } from '../parts/names.ts';
import { winsDrawsLosses } from '../parts/numbers.ts';
import { factionRecordTable, type WinsDrawsLosses } from '../parts/records.ts';
import { type ListRow, rowList } from '../parts/rows.ts';
import type { Words } from '../words/en.ts';

/** One battle as the player of the page sees it. */
interface Played {
  game: PlayerGame;
  own: PlayerGame['players'][number];
  other: PlayerGame['players'][number];
}

/** Returns the battles that have a result. */
export function playedBy(id: string, games: readonly PlayerGame[]): Played[] {
  return games.flatMap((game) => {
    const own = game.players.find(({ playerId }) => playerId === id);
    const other = game.players.find((side) => side !== own);
    return own?.outcome && other ? [{ game, own, other }] : [];
  });
}

const maxOpponents = 5;

/** Shows the record against each opponent. The name leads to the opponent, the score to the last battle. */
export function opponentsSection(
  site: SiteSettings,
  played: readonly Played[],
  isAll: boolean,
): Html | false {
  const known = played.filter(({ other }) => other.playerId !== null || other.player !== erasedName);
  const opponents = [...Map.groupBy(known, ({ other }) => other.playerId ?? `guest ${other.player}`).values()]
    // The sort is stable, so the most recent opponent comes first among equals.
    .toSorted((a, b) => b.length - a.length);
  if (opponents.length === 0) return false;
  const t = site.words.player;
  const more = opponents.length - maxOpponents;
  const notes = [
    ...(more > 0 ? [t.otherOpponents(more)] : []),
    ...(isAll ? [] : [t.mostFirstOf(played.length)]),
  ];
  return html`<section class="sec" aria-labelledby="opponents">
<h2 id="opponents">${t.opponents}</h2>
${rowList(opponents.slice(0, maxOpponents).map((all) => opponentRow(site, all)))}
${notes.length > 0 && html`<p class="sub">${joined(notes, ' · ')}</p>`}
</section>`;
}

function opponentRow(site: SiteSettings, all: readonly Played[]): ListRow {
  const [last] = all;
  if (last === undefined) throw new Error('an opponent without a battle');
  const { words } = site;
  const { game, own, other } = last;
  const battle = html`<a href="${pathTo(site, `/battles/${game.id}`)}">${score(site, own, other)}</a>`;
  return {
    crest: crestOf(other.faction),
    title: participantLink(site, other),
    lines: [
      joined(
        [
          html`${words.player.last} ${battle}`,
          ...(game.date === null ? [] : [words.day(game.date, true)]),
          ...(other.faction ? [name(other.faction)] : []),
        ],
        ' · ',
      ),
    ],
    end: html`<b>${winsDrawsLosses(resultsOf(all))}</b>`,
  };
}

/** Shows the record against each faction, without mirrors, which say nothing about a faction. */
export function againstFactions(words: Words, played: readonly Played[], most: number): Html | false {
  const others = played.filter(({ own, other }) => other.faction !== null && other.faction !== own.faction);
  if (others.length === 0) return false;
  const records = [...Map.groupBy(others, ({ other }) => other.faction)].map(([faction, all]) => ({
    faction,
    ...resultsOf(all),
  }));
  return html`<section class="sec" aria-labelledby="against">
<h2 id="against">${words.player.againstFactions}</h2>
${factionRecordTable(words, records, most)}
</section>`;
}

function resultsOf(all: readonly Played[]): WinsDrawsLosses {
  const count = (wanted: string) => all.filter(({ own }) => own.outcome === wanted).length;
  return { wins: count('win'), draws: count('draw'), losses: count('loss') };
}
