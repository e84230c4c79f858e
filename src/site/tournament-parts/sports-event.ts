import type { Tournament } from '../../contract/tournament.ts';
import { html, type Html, json } from '../html.ts';
import type { SiteSettings } from '../site-settings.ts';

/** For search engines. Only when day and place are known: without them the data would be wrong. It names no players. */
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
