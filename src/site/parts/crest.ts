import { html, type Html } from '../html.ts';

// Every name has a colour; factions have a shield, clubs a disc. These follow from the name alone, so that
// the same name looks the same everywhere. Two names can have the same crest, so it is never shown without
// the name.

/** Draws the crest of a faction, which is a shield. */
export function crest(name: string): Html {
  return kept(
    shields,
    name,
    () => html`<i class="crest${classesOf(name)}" aria-hidden="true">${initials(name)}</i>`,
  );
}

/** The empty space that replaces the crest of an unknown faction, so that names stay aligned. */
export const noCrest = html`<i class="crest none" aria-hidden="true"></i>`;

export const crestOf = (faction: string | null | undefined): Html => (faction ? crest(faction) : noCrest);

/** Draws the crest of a club, which is a disc. */
export function disc(name: string): Html {
  return kept(
    discs,
    name,
    () => html`<i class="crest club${classesOf(name)}" aria-hidden="true">${initials(name)}</i>`,
  );
}

/** Returns the class for the hue of a name. The hue of a club also colours the banners of its tournaments. */
export function hueOf(name: string): string {
  return `h${(hashOf(name) >>> 16) & 15}`;
}

function classesOf(name: string): string {
  const division = hashOf(name) % 6;
  return ` ${hueOf(name)}${division === 0 ? '' : ` d${division}`}`;
}

/** Returns the same hash for a name in any normal form and in any case. */
function hashOf(name: string): number {
  return kept(hashes, name, () => {
    let hash = 0;
    for (const byte of Buffer.from(name.normalize('NFKC').toLowerCase())) hash = (33 * hash + byte) >>> 0;
    return hash;
  });
}

/** Pages show the same few names again and again, so what follows from a name is kept. */
const shields = new Map<string, Html>();
const discs = new Map<string, Html>();
const hashes = new Map<string, number>();
const mostKept = 2_000;

function kept<Value>(values: Map<string, Value>, name: string, make: () => Value): Value {
  const known = values.get(name);
  if (known !== undefined) return known;
  const made = make();
  if (values.size >= mostKept) values.clear();
  values.set(name, made);
  return made;
}

/**
 * Returns the initials of the first two capitalised words, otherwise the first two letters of the first word.
 * One character of Han, kana or Hangul is enough.
 */
export function initials(name: string): string {
  const text = name.normalize('NFKC').trim();
  const [dense] = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.exec(text) ?? [];
  if (dense !== undefined) return dense;
  const [first, second] = text.match(/(?<![\p{L}\p{M}\p{N}’'])\p{Lu}/gu) ?? [];
  if (first !== undefined && second !== undefined) return first + second;
  return (
    /(?:\p{L}\p{M}*){1,2}/u.exec(first === undefined ? text : text.slice(text.indexOf(first)))?.[0] ?? '?'
  );
}
