import { pairingsOf, type SeatView, standingsView } from '../../published/views.ts';
import { compareText, sortKey } from '../../text/fold.ts';
import { html, joined } from '../html.ts';
import { isSlug, type PageRoute } from '../page.ts';
import { withGuest } from '../parts/guests.ts';
import { erasedName, name, personAddress } from '../parts/names.ts';
import { addressOf } from '../parts/pager.ts';
import { revisionTags } from '../parts/revision-tag.ts';
import { shownRank } from '../parts/shown-rank.ts';
import type { SiteSettings } from '../site-settings.ts';
import { namesOfPage, type NamesRow } from '../tournament-parts/statements.ts';

/**
 * Serves a fragment that is the same for everybody: all participants of a tournament, with table and
 * opponent. "Find your name" shows rows from it.
 */
export function tournamentNamesPage(site: SiteSettings): PageRoute {
  const path = '/tournaments/:slug/names';
  return {
    path,
    query: [],
    scope: ({ slug }) => `tournament:${slug}`,
    make: async (asked) => {
      const { slug } = asked.params;
      if (!isSlug(slug)) return undefined;
      const tags = revisionTags(site, path, asked);
      const [row] = await asked.read<NamesRow>(namesOfPage, [slug, tags.held]);
      if (row === undefined) return undefined;
      const tag = tags.tag(`${row.revision}.0`);
      if (row.document === null) return { text: undefined, tag };
      return { text: namesList(site, slug, row), tag, headers: { 'x-robots-tag': 'noindex' } };
    },
  };
}

function namesList(site: SiteSettings, slug: string, names: NamesRow): string {
  const { board, view, isReached, others, pairings } = names;
  const { words } = site;
  const shown = board === null || view === null ? undefined : standingsView(board, view);
  const rows = shown?.type === 'board' ? shown.rows : [];
  const onBoard = new Set(rows.map(({ entry }) => entry));
  const missing = (others ?? []).flatMap(({ entry, participant: { player, playerId } }) =>
    onBoard.has(entry) || (playerId ?? player) === erasedName
      ? []
      : [{ entry, player, playerId, rank: null, faction: null }],
  );
  const all = [...rows, ...missing].map((each) => withGuest(site, slug, each));
  const games = new Map(
    pairings
      .flatMap(pairingsOf)
      .flatMap(({ open, done }) => [...done, ...open])
      .flatMap(({ table, sides: [first, second] }) => [
        ...gameOf(first, second, table),
        ...gameOf(second, first, table),
      ]),
  );
  const people = all
    .flatMap((row) => (row.player === null ? [] : [{ row, player: row.player, key: sortKey(row.player) }]))
    .toSorted((a, b) => compareText(a.key, b.key));
  return html`<ul>${people.map(({ row, player }) => {
    const game = row.entry === undefined ? undefined : games.get(row.entry);
    const rank = isReached ? shownRank(row) : null;
    const facts = [
      ...(game === undefined ? [] : [html`${words.battle.versus} ${name(game.other)}`]),
      ...(rank === null ? [] : [words.ordinal(rank)]),
      ...(row.faction === null ? [] : [name(row.faction)]),
    ];
    const table = game?.table ?? null;
    const address =
      personAddress(site, row) ?? addressOf(site, `/tournaments/${slug}/participants`, { name: player });
    return html`
<li><a href="${address}"><span><bdi>${player}</bdi><span class="sub">${joined(facts, ' · ')}</span></span>${table !== null && html`<span class="tno"><span class="sub">${words.rounds.tableHead}</span>${table}</span>`}</a></li>`;
  })}
</ul>`.text;
}

interface Game {
  table: number | null;
  other: string;
}

function gameOf(own: SeatView, other: SeatView, table: number | null): [entry: string, game: Game][] {
  return 'player' in own && own.entry !== undefined && 'player' in other
    ? [[own.entry, { table, other: other.player }]]
    : [];
}
