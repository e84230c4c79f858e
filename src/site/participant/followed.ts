import { pairingsOf } from '../../published/views.ts';
import { isId, isSlug, type PageRoute } from '../page.ts';
import { html, type Html } from '../html.ts';
import { pairingsOfFollowed, type PairingsRow } from './statements.ts';
import type { SiteSettings } from '../site-settings.ts';
import { shortCard } from '../match/card.ts';
import { battleBox } from '../match/pairing.ts';
import { whosePageParameters } from '../tournament-parts/whose-page.ts';
import { revisionsOf, shownClub } from '../tournament-parts/tournament-frame.ts';

/**
 * Serves the table at which somebody is playing now, as a card. Everybody shares the page of a tournament,
 * which shows only some of the tables, so the script asks for those of followed players. The revision says
 * which copy of the page the card belongs to.
 */
export function followedPage(site: SiteSettings): PageRoute {
  return {
    path: '/tournaments/:slug/followed',
    query: whosePageParameters,
    scope: ({ slug }) => `tournament:${slug}`,
    make: async ({ params: { slug }, query: { player, entry }, read }) => {
      if (!isSlug(slug) || !isId(player ?? entry) || (player === undefined && !site.hasGuests))
        return undefined;
      const values = [slug, player ?? null, entry ?? null];
      // The club is not on the card, but its revision is in the tag of the page.
      const [row] = await read<PairingsRow>(pairingsOfFollowed, values, ([first]) =>
        first ? shownClub(first) : [],
      );
      if (!row?.entry) return undefined;
      const game = cardOf(site, slug, row.entry, row.pairings ?? []);
      const text = html`<ol data-revision="${revisionsOf(row)}"${game && html` data-stage="${game.stage}"`}>${game && html`<li>${game.card}</li>`}</ol>`;
      return { text: text.text, headers: { 'x-robots-tag': 'noindex' } };
    },
  };
}

/** Returns the open battle of the newest round, otherwise the newest that is over. */
function cardOf(
  site: SiteSettings,
  slug: string,
  entry: string,
  pairings: readonly string[],
): { stage: string; card: Html } | undefined {
  const rounds = pairings.flatMap(pairingsOf);
  const isOwn = ({ sides }: (typeof rounds)[0]['open'][0]) =>
    sides.some((side) => 'player' in side && side.entry === entry);
  const own = rounds
    .flatMap(({ stage, round, open, done }) =>
      [...open, ...done].filter(isOwn).map((battle) => ({ ...battle, stage, isOld: battle.round < round })),
    )
    .toSorted((a, b) => Number(b.state === 'open') - Number(a.state === 'open') || b.round - a.round);
  const [battle] = own;
  if (battle === undefined) return undefined;
  const note = battle.isOld && battle.state === 'open' ? site.words.now.shortRound(battle.round) : undefined;
  return { stage: battle.stage, card: shortCard(site.words, battleBox(site, slug, battle), note) };
}
