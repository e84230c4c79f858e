import type { SiteSettings } from '../site-settings.ts';

/**
 * Lists the APIs for programs that know only the site (RFC 9727), each with its OpenAPI document, guides and
 * terms.
 */
export function apiCatalog({ siteUrl, apiUrl, termsUrl }: SiteSettings) {
  const api = (path: string, document: string) => ({
    anchor: `${apiUrl}${path}`,
    'service-desc': [{ href: `${siteUrl}${document}`, type: 'application/json' }],
    'service-doc': ['/docs', '/reference/'].map((page) => ({ href: `${siteUrl}${page}`, type: 'text/html' })),
    ...(termsUrl !== undefined && { 'terms-of-service': [{ href: termsUrl }] }),
  });
  return {
    type: 'application/linkset+json;profile="https://www.rfc-editor.org/info/rfc9727"',
    text: JSON.stringify({
      linkset: [api('/api/v1', '/openapi.json'), api('/api/extra/v1', '/openapi-extra.json')],
    }),
    headers: {
      link: `<${siteUrl}/.well-known/api-catalog>; rel="api-catalog"`,
      'access-control-allow-origin': '*',
    },
  };
}
