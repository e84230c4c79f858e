import { createHash } from 'node:crypto';

/** What an answer is a function of, besides the revision: the request, and the settings that show in it. */
export type AnswerIdentity = readonly (string | null)[];

/**
 * Weak, because answers are the same in meaning and not in bytes: compressed or not. The revision stands in it in
 * plain, so that one statement can both look at the revision and leave the documents where they are when it has not
 * moved; the digest says which answer it is the tag of.
 */
export function etagOf(identity: AnswerIdentity, revision: string): string {
  return `W/"${opaqueTag(identity, revision)}"`;
}

/**
 * The revisions that the caller holds this very answer in, from If-None-Match; null for `*`, whichever it is. Tags of
 * other answers and of other servers say nothing here.
 */
export function revisionsHeld(header: string | undefined, identity: AnswerIdentity): string[] | null {
  const tags = opaqueTagsIn(header);
  if (tags === null) return null;
  return tags.flatMap((tag) => {
    const revision = /^[0-9]{1,18}(?=\.)/.exec(tag)?.[0];
    return revision !== undefined && opaqueTag(identity, revision) === tag ? [revision] : [];
  });
}

/** The tags in If-None-Match, weak or not; null for `*`. What is no list of tags is no condition: it has none. */
export function opaqueTagsIn(header: string | undefined): string[] | null {
  if (header === undefined) return [];
  if (/^[ \t]*\*[ \t]*$/.test(header)) return null;
  const tags: string[] = [];
  const element = new RegExp(listElement, 'y');
  while (element.lastIndex < header.length) {
    const found = element.exec(header);
    if (found === null) return [];
    if (found[1] !== undefined) tags.push(found[1]);
  }
  return tags;
}

/**
 * One element of the list, which may be empty, and what ends it (RFC 9110, 8.8.3 and 5.6.1). No two repetitions of the
 * same characters may meet: the time would grow with the square of the header.
 */
const listElement = /[ \t]*(?:(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(?:,|$)/;

function opaqueTag(identity: AnswerIdentity, revision: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([revision, ...identity]))
    .digest('base64url');
  return `${revision}.${digest.slice(0, 16)}`;
}
