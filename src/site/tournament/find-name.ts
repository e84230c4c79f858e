import type { BoardStandings } from '../../contract/standings.ts';
import { compareText, sortKey } from '../../text/fold.ts';
import { html, joined } from '../parts/html.ts';
import { isSlug, type PageRoute } from '../page.ts';
import { rowsOf } from './board.ts';
import { revisionOfFragment } from '../now/live.ts';
import { guestKey, guestsIn, withGuests } from '../parts/guests.ts';
import { erasedName, keyOf, name, personAddress } from '../parts/names.ts';
import { addressOf } from '../parts/pager.ts';
import { revisionTags } from '../parts/revision-tag.ts';
import type { SiteSettings } from '../site-settings.ts';
import { battleWithGuests } from './pairing.ts';
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

function namesList(site: SiteSettings, slug: string, { board, details, others, current }: NamesRow): string {
  const { words } = site;
  const data = board === null ? [] : (JSON.parse(board) as BoardStandings).data;
  const rows = withGuests(data, guestsIn(site, slug, details).rows);
  const sides = (current ?? []).flatMap((shown) => {
    const { players } = battleWithGuests(site, shown);
    return players.map((side, index) => ({ ...side, table: shown.table, other: players[1 - index] }));
  });
  const onBoard = new Set(rows.map((row) => keyOf(row) ?? row.player));
  const missing = (others ?? [])
    .map(({ entry, ...each }) => ({ ...each, guest: guestKey(site, slug, entry), rank: null, faction: null }))
    .filter(
      (each) => !onBoard.has(keyOf(each) ?? each.player) && (each.playerId ?? each.player) !== erasedName,
    );
  const all = [...rows, ...missing];
  const games = rowsOf(all, sides);
  const people = all
    .flatMap((row) => (row.player === null ? [] : [{ row, player: row.player, key: sortKey(row.player) }]))
    .toSorted((a, b) => compareText(a.key, b.key));
  return html`<ul>${people.map(({ row, player }) => {
    const game = games.get(row);
    const facts = [
      ...(game?.other === undefined ? [] : [html`${words.battle.versus} ${name(game.other.player)}`]),
      ...(row.rank === null ? [] : [words.ordinal(row.rank)]),
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
