import { html } from '../parts/html.ts';
import { isSlug, type PageRoute } from '../page.ts';
import { fragmentTags, nowRoute, revisionOfFragment } from './live.ts';
import { nowSections } from './now.ts';
import { leadLine, shownTournament, statusLines } from '../tournament/tournament-frame.ts';
import type { SiteSettings } from '../site-settings.ts';
import { nowOfPage, type NowRow } from '../tournament/statements.ts';

/** A fragment: the badges and "Now" of a tournament, which change most often. */
export function tournamentNowPage(site: SiteSettings): PageRoute {
  return {
    path: nowRoute,
    query: [],
    scope: ({ slug }) => `tournament:${slug}`,
    make: async ({ params: { slug }, heldTags, today, read }) => {
      if (!isSlug(slug)) return undefined;
      const tags = fragmentTags(site, slug, today, heldTags);
      const [row] = await read<NowRow>(nowOfPage, [slug, tags.held]);
      if (row === undefined) return undefined;
      const tag = tags.tag(revisionOfFragment(row.revision));
      if (row.document === null) return { text: undefined, tag };
      const tournament = shownTournament(site, row, row.document, today);
      const text = html`${statusLines(site, tournament)}
${leadLine(site, tournament)}
${nowSections(site, tournament, row, undefined)}`.text;
      return { text, tag, headers: { 'x-robots-tag': 'noindex' } };
    },
  };
}
