import { basePath, type SiteSettings } from './site-settings.ts';

/** Search pages and files for spreadsheets are no pages to find. */
export function robotsText({ siteUrl, hasPages }: SiteSettings): string {
  const base = basePath(siteUrl);
  const sitemap = hasPages ? `Sitemap: ${siteUrl}/sitemap.xml\n` : '';
  return `User-agent: *\nDisallow: ${base}/search\nDisallow: ${base}/tournaments/*.csv\nDisallow: ${base}/factions*.csv\n${sitemap}`;
}
