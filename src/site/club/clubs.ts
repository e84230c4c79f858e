import type { Club } from '../../contract/club.ts';
import { parseStored } from '../../read/page-address.ts';
import { framed } from '../parts/frame.ts';
import { html, type Html } from '../html.ts';
import { isSlug, type PageRoute } from '../page.ts';
import { disc } from '../parts/crest.ts';
import { name, cityAndCountry } from '../parts/names.ts';
import { addressOf, withQuery } from '../parts/pager.ts';
import { rowList } from '../parts/rows.ts';
import { isCurrent } from '../parts/tabs.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import { clubsOfPage, type ClubsRow } from './list-statements.ts';

/** Lists all clubs from A to Z. The list can begin at a letter, and all names after it follow. */
export function clubsPage(site: SiteSettings): PageRoute {
  return {
    path: '/clubs',
    query: ['at', 'after'],
    scope: () => 'search',
    make: async ({ query: { at = '', after }, read }) => {
      if (!/^[a-z]?$/.test(at) || (after !== undefined && !isSlug(after))) return undefined;
      const rows = await read<ClubsRow>(clubsOfPage, [pageSize + 1, at, after ?? null], (found) =>
        found.flatMap(({ slug, clubRevision }) =>
          slug === null ? [] : [{ scope: `club:${slug}` as const, revision: BigInt(clubRevision ?? 0) }],
        ),
      );
      return { text: clubsText(site, { at, after }, rows) };
    },
  };
}

const pageSize = 100;
const letters = ['', ...Array.from('abcdefghijklmnopqrstuvwxyz')];

interface Begin {
  at: string;
  after: string | undefined;
}

function clubsText(site: SiteSettings, { at, after }: Begin, rows: readonly ClubsRow[]): string {
  const shown = rows.filter(({ slug }) => slug !== null).slice(0, pageSize);
  const last = rows.length > pageSize ? shown.at(-1)?.slug : undefined;
  const isPlain = at === '' && after === undefined;
  const query = after === undefined ? { at: at || undefined } : { after };
  const t = site.words.clubs;
  const groups = Map.groupBy(shown, ({ key }) => letterOf(key ?? ''));
  return framed(site, {
    title: t.title,
    description: t.fromAToZ,
    canonical: withQuery('/clubs', query),
    isPrivate: !isPlain,
    main: html`<header class="title">
<h1>${t.title}</h1>
</header>
<nav class="tabs letters" aria-label="${t.letters}"><ul>
${letters.map((letter) => html`<li><a href="${addressOf(site, '/clubs', { at: letter || undefined })}"${after === undefined && letter === at && isCurrent}>${letter === '' ? t.all : letter.toUpperCase()}</a></li>\n`)}</ul></nav>
${shown.length === 0 && html`<p class="empty">${isPlain ? t.noClub : t.noClubFollows}</p>`}
${[...groups].map(([letter, these], index) => group(site, letter, these, index))}
${last && html`<nav class="pager" aria-label="${t.more}"><a href="${addressOf(site, '/clubs', { after: last })}" rel="next">${t.more}</a></nav>`}`,
  });
}

/** Returns the heading for a name: its first letter, or `#` if it begins with anything else. */
function letterOf(key: string): string {
  const [first = ''] = key;
  return /\p{L}/u.test(first) ? first.toUpperCase() : '#';
}

function group(site: SiteSettings, letter: string, rows: readonly ClubsRow[], index: number): Html {
  const items = rows.map(({ document }) => {
    const club = parseStored<Club>(document ?? '');
    const where = cityAndCountry(club);
    return {
      crest: disc(club.name),
      title: html`<a class="name" href="${pathTo(site, `/clubs/${club.slug}`)}">${name(club.name)}</a>`,
      lines: where === undefined ? [] : [where],
      end: html`<span class="sub">${site.words.clubs.members(club.members)}</span>`,
    };
  });
  return html`<section class="sec" aria-labelledby="letter-${index}">
<h2 id="letter-${index}">${name(letter)}</h2>
${rowList(items, 'two-up')}
</section>\n`;
}
