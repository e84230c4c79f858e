import { listedFolders } from './sitemap.ts';
import { basePath, type SiteSettings } from '../site-settings.ts';
import { languages } from '../../text/languages.ts';

/**
 * Keeps crawlers away from search pages and files for spreadsheets, which nobody should find by a search
 * engine.
 */
export function robotsText(site: SiteSettings): string {
  const { siteUrl, hasPages } = site;
  const base = basePath(siteUrl);
  const translated = languages
    .filter((language) => language !== site.siteLanguage)
    .map((language) => `Disallow: ${base}/${language}/search\n`)
    .join('');
  const sitemap = hasPages && listedFolders(site).length > 0 ? `Sitemap: ${siteUrl}/sitemap.xml\n` : '';
  return `User-agent: *\nDisallow: ${base}/search\n${translated}Disallow: ${base}/tournaments/*.csv\nDisallow: ${base}/factions*.csv\n${sitemap}`;
}
