import { type PageFolder, pageBasesOf } from '../../read/page-address.ts';
import { html } from '../html.ts';
import type { MadePage, PageRoute } from '../page.ts';
import type { SiteSettings } from '../site-settings.ts';
import {
  sitemapIndex,
  type SitemapIndexRow,
  sitemapOfClubs,
  sitemapOfYear,
  type SitemapRow,
} from './sitemap-statements.ts';

/**
 * Serves the sitemaps for search engines: tournaments by year, and clubs. Players are left out, and their
 * pages also tell search engines to leave them out.
 */
export function sitemapPages(site: SiteSettings): PageRoute[] {
  const { siteUrl } = site;
  const listed = listedFolders(site);
  const pages = (folder: string, slugs: string[]) =>
    xml(
      'urlset',
      'url',
      slugs.map((slug) => `${siteUrl}/${folder}/${slug}`),
    );
  return [
    {
      path: '/sitemap.xml',
      query: [],
      scope: () => 'tournaments',
      make: async ({ read }) => {
        if (listed.length === 0) return undefined;
        const [row] = await read<SitemapIndexRow>(sitemapIndex, []);
        if (row === undefined) return undefined;
        const years = listed.includes('tournaments') ? row.years : [];
        const files = years.map((year) => `tournaments-${yearText(year)}.xml`);
        if (listed.includes('clubs')) files.push(clubsFile);
        return xml(
          'sitemapindex',
          'sitemap',
          files.map((file) => `${siteUrl}/sitemaps/${file}`),
        );
      },
    },
    {
      path: '/sitemaps/:file',
      query: [],
      isLarge: true,
      scope: ({ file }) => (file === clubsFile ? 'search' : 'tournaments'),
      make: async ({ params: { file }, read }) => {
        if (!listed.includes(file === clubsFile ? 'clubs' : 'tournaments')) return undefined;
        if (file === clubsFile) {
          const [row] = await read<SitemapRow>(sitemapOfClubs, [maxAddresses]);
          return row && pages('clubs', row.slugs);
        }
        const [, year] = /^tournaments-(\d{4}|undated)\.xml$/.exec(file ?? '') ?? [];
        if (year === undefined || year === '0000') return undefined;
        const [row] = await read<SitemapRow>(sitemapOfYear, [...boundsOf(year), maxAddresses]);
        return row === undefined || row.slugs.length === 0 ? undefined : pages('tournaments', row.slugs);
      },
    },
  ];
}

/**
 * Returns the folders to list. Folders whose pages the operator has elsewhere are left out, because a search
 * engine does not accept addresses of another host from us.
 */
export function listedFolders({ siteUrl, pageBases }: SiteSettings): PageFolder[] {
  const own = pageBasesOf(siteUrl);
  return (['tournaments', 'clubs'] as const).filter((folder) => pageBases[folder] === own[folder]);
}

const clubsFile = 'clubs.xml';
const undated = 'undated';
/** A search engine reads no more addresses than this from one file. */
const maxAddresses = 50_000;

function yearText(year: number | null): string {
  return year === null ? undated : String(year).padStart(4, '0');
}

function boundsOf(year: string): [string, string] {
  if (year === undated) return ['-infinity', '0001-01-01'];
  return [`${year}-01-01`, year === '9999' ? 'infinity' : `${yearText(Number(year) + 1)}-01-01`];
}

function xml(root: string, item: string, addresses: string[]): MadePage {
  const items = addresses.map((address) => html`<${item}><loc>${address}</loc></${item}>\n`);
  return {
    type: 'application/xml; charset=utf-8',
    text: html`<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${items}</${root}>
`.text,
  };
}
