import type { SiteSettings } from '../site-settings.ts';
import { type Guide, guideAsMarkdown } from './guides.ts';

/** Returns the entry point for programs that read text (llmstxt.org): what this is, and every guide as Markdown. */
export function llmsText(site: SiteSettings, guides: readonly Guide[]): string {
  const { siteName, siteUrl } = site;
  const [overview] = guides;
  const list = overview && /^## All guides\n\n([^]*?)\n\n/m.exec(guideAsMarkdown(site, overview))?.[1];
  return `# ${siteName}

> Results of tabletop-wargame tournaments (standings, army lists, clubs, battles) as pages and as a read-only JSON API.

Requests need an API key: [the overview](${siteUrl}/docs.md) has one that works when pasted, or says whom to ask.

## Guides

${list ?? ''}

## Reference

- [OpenAPI document of /api/v1](${siteUrl}/openapi.json)
- [OpenAPI document of /api/extra/v1](${siteUrl}/openapi-extra.json)
`;
}
