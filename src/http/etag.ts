import { hash } from 'node:crypto';

/**
 * Everything besides the revision that decides the answer: the request, and the settings that show in the
 * answer.
 */
export type AnswerIdentity = readonly (string | null)[];

/**
 * Returns the ETag of an answer. It is weak because equal answers can differ in their bytes, for example by
 * compression. The tag contains the revision as plain text, so one statement can compare it and need not read
 * any documents if it has not changed. The digest identifies the answer.
 */
export function etagOf(identity: AnswerIdentity, revision: string): string {
  return `W/"${opaqueTag(identity, revision)}"`;
}

/**
 * Returns the revisions of this answer that the caller has, according to If-None-Match. Null stands for `*`,
 * which means any revision. Tags of other answers and other servers are ignored.
 */
export function revisionsHeld(header: string | undefined, identity: AnswerIdentity): string[] | null {
  const tags = opaqueTagsIn(header);
  if (tags === null) return null;
  return tags.flatMap((tag) => {
    const revision = /^[0-9]{1,18}(?=\.)/.exec(tag)?.[0];
    return revision !== undefined && opaqueTag(identity, revision) === tag ? [revision] : [];
  });
}

/** Returns true if If-None-Match names this answer. */
export function isHeldIn(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag) return true;
  const tags = opaqueTagsIn(header);
  return tags === null || tags.includes(etag.slice('W/"'.length, -1));
}

/**
 * Returns the tags in If-None-Match, weak or strong. Null stands for `*`. The list is empty if the header is
 * not a list of tags.
 */
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
 * One element of the list, which may be empty, and its end (RFC 9110, 8.8.3 and 5.6.1). Two repetitions of
 * the same characters must not be adjacent, or the time would grow with the square of the header's length.
 */
const listElement = /[ \t]*(?:(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(?:,|$)/;

function opaqueTag(identity: AnswerIdentity, revision: string): string {
  const digest = hash('sha256', JSON.stringify([revision, ...identity]), 'base64url');
  return `${revision}.${digest.slice(0, 16)}`;
}
