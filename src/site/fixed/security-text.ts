import type { Route } from '../../http/listener.ts';
import { sharedCaching } from '../page-server.ts';
import { dayMs, dayOf } from '../../text/days.ts';
import type { SiteSettings } from '../site-settings.ts';

/**
 * Serves whom to tell about a hole (RFC 9116). The standard wants a date on which the file expires, so it is
 * made for each request: a server may run for longer than that. Without a contact there is nothing to say.
 */
export function securityTextRoutes({ siteUrl, contactUrl }: SiteSettings): Route[] {
  if (contactUrl === undefined) return [];
  const answer = () => {
    const expires = dayOf(Date.now() + 180 * dayMs);
    const text = `Contact: ${contactUrl}\nExpires: ${expires}T00:00:00Z\nPreferred-Languages: en\nCanonical: ${siteUrl}/.well-known/security.txt\n`;
    return { type: 'text/plain; charset=utf-8', headers: sharedCaching, body: { bytes: Buffer.from(text) } };
  };
  return [{ pattern: '/.well-known/security.txt', answer }];
}
