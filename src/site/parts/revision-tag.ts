import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { PageRequest } from '../page.ts';
import type { SiteSettings } from '../site-settings.ts';

/**
 * The tags of a page whose text follows from revisions, so that the database can say "not changed" without
 * reading a document.
 */
export interface RevisionTags {
  /** The revisions for which the browser holds exactly this page. */
  held: string[];
  tag: (revisions: string) => string;
}

/**
 * Makes the tags from the revisions and everything else that decides the text: the software, the settings,
 * the route, the query, and the day, because a tournament ceases to be played without a new revision.
 */
export function revisionTags(
  site: SiteSettings,
  path: string,
  { params, query, heldTags, today }: Pick<PageRequest, 'params' | 'query' | 'heldTags' | 'today'>,
): RevisionTags {
  const { words, ...settings } = site;
  const identity = JSON.stringify([version, words.language, settings, path, params, query, today]);
  const tag = (revisions: string) => {
    return `${revisions}.${digestOf(`${revisions} ${identity}`)}`;
  };
  const held = heldTags.flatMap((each) => {
    const revisions = /^[0-9]{1,18}\.[0-9]{1,18}(?=\.)/.exec(each)?.[0];
    return revisions !== undefined && tag(revisions) === each ? [revisions] : [];
  });
  return { held, tag };
}

export function digestOf(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
