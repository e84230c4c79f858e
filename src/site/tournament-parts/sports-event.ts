import type { Tournament } from '../../contract/tournament.ts';
import { html, type Html, json } from '../html.ts';
import type { SiteSettings } from '../site-settings.ts';

/**
 * Describes the tournament for search engines. It does so only if day and location are known, because the
 * data would be wrong without them, and it names no players.
 */
export function sportsEvent(
  { pageBases }: SiteSettings,
  event: Omit<Tournament, 'url'>,
  club: { slug: string; name: string } | undefined,
): Html | undefined {
  const { startDate, endDate, city, country } = event;
  if (startDate === null || (city === null && country === null)) return undefined;
  const data = {
    '@context': 'https://schema.org',
    '@type': 'SportsEvent',
    name: event.name,
    sport: 'Tabletop wargaming',
    startDate,
    endDate: endDate ?? startDate,
    location: {
      '@type': 'Place',
      name: city ?? country,
      address: {
        '@type': 'PostalAddress',
        ...(city !== null && { addressLocality: city }),
        ...(country !== null && { addressCountry: country }),
      },
    },
    ...(club !== undefined && {
      organizer: { '@type': 'Organization', name: club.name, url: `${pageBases.clubs}${club.slug}` },
    }),
    url: `${pageBases.tournaments}${event.slug}`,
  };
  return html`<script type="application/ld+json">${json(data)}</script>\n`;
}
