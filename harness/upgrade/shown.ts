import assert from 'node:assert/strict';

/**
 * Returns what must be the same in two versions: the visible text of a page, or the description of the API.
 * The next version may have other markup, style sheets and scripts, whose addresses contain a digest, and it
 * has a version number of its own.
 */
export function shownIn(target: string, body: string): string {
  if (target.endsWith('.json')) {
    const described = JSON.parse(body) as { info: { version?: string } };
    delete described.info.version;
    return JSON.stringify(described);
  }
  const [, page = ''] = /<body[^>]*>([^]*)<\/body>/.exec(body) ?? [];
  assert.match(page, /<main/, `${target} is not a page`);
  return page
    .replaceAll(/<(script|style|template)\b[^]*?<\/\1>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
