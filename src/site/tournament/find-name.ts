import type { BoardStandings } from '../../contract/standings.ts';
import { compareText, sortKey } from '../../text/fold.ts';
import { html, joined } from '../parts/html.ts';
import { isSlug, type PageRoute } from '../page.ts';
import { rowsOf } from './board.ts';
import { revisionOfFragment } from '../now/live.ts';
import { name } from '../parts/names.ts';
import { ordinal } from '../parts/numbers.ts';
import { addressOf } from '../parts/pager.ts';
import { revisionTags } from '../parts/revision-tag.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import { namesOfPage, type NamesRow } from './statements.ts';

/** A fragment that all share: everybody of an event, with table and opponent. "Find your name" shows rows of it. */
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
      const tag = tags.tag(revisionOfFragment(row.revision));
      if (row.document === null) return { text: undefined, tag };
      return { text: namesList(site, slug, row), tag, headers: { 'x-robots-tag': 'noindex' } };
    },
  };
}

function namesList(site: SiteSettings, slug: string, { board, current }: NamesRow): string {
  const rows = board === null ? [] : (JSON.parse(board) as BoardStandings).data;
  const sides = (current ?? []).flatMap(({ table, battle: { players } }) =>
    players.map((side, index) => ({ ...side, table, other: players[1 - index] })),
  );
  const games = rowsOf(rows, sides);
  const people = rows
    .flatMap((row) => (row.player === null ? [] : [{ row, player: row.player, key: sortKey(row.player) }]))
    .toSorted((a, b) => compareText(a.key, b.key));
  return html`<ul>${people.map(({ row, player }) => {
    const game = games.get(row);
    const facts = [
      ...(game?.other === undefined ? [] : [html`vs ${name(game.other.player)}`]),
      ...(row.rank === null ? [] : [ordinal(row.rank)]),
      ...(row.faction === null ? [] : [name(row.faction)]),
    ];
    const table = game?.table ?? null;
    const address =
      row.playerId === null
        ? addressOf(site, `/tournaments/${slug}/participants`, { name: player })
        : pathTo(site, `/players/${row.playerId}`);
    return html`
<li><a href="${address}"><span><bdi>${player}</bdi><span class="sub">${joined(facts, ' · ')}</span></span>${table !== null && html`<span class="tno"><span class="sub">table</span>${table}</span>`}</a></li>`;
  })}
</ul>`.text;
}
