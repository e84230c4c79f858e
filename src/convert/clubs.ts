// The clubs that the sheets name. Only clubs that are known to be recorded go into the feed, or new ones if allowed.
import { fold } from '../text/fold.ts';
import type { ClubRecord } from '../record/feed/records.ts';
import { slugOf } from './ids.ts';

export interface ClubOptions {
  /** Slug and name of each recorded club. The name may be empty. */
  known: [slug: string, name: string][];
  newClubs: boolean;
}

export class Clubs {
  readonly #bySlug: Map<string, string>;
  readonly #byName: Map<string, string>;
  readonly #newClubs: boolean;
  readonly #isAlone: boolean;
  readonly #made = new Map<string, ClubRecord>();
  /** As written, with how often. */
  readonly leftOut = new Map<string, number>();

  /** `isAlone`: known clubs are sent, too. */
  constructor({ known, newClubs }: ClubOptions, isAlone: boolean) {
    this.#isAlone = isAlone;
    this.#bySlug = new Map(known);
    this.#byName = new Map(known.flatMap(([slug, name]) => (name === '' ? [] : [[fold(name), slug]])));
    this.#newClubs = newClubs;
  }

  slug(written: string | null | undefined): string | null {
    if (written === null || written === undefined) return null;
    const slug = this.#byName.get(fold(written)) ?? slugOf(written);
    const known = this.#bySlug.get(slug);
    if (known !== undefined && !this.#isAlone) return slug;
    if (known !== undefined || (this.#newClubs && slug !== '')) {
      // What a server knows of a club stays as it is. A preview has nothing but the sheets.
      const only = this.#isAlone ? {} : { onlyIfNew: true };
      if (!this.#made.has(slug))
        this.#made.set(slug, { kind: 'club', slug, name: known || written, ...only });
      return slug;
    }
    this.leftOut.set(written, (this.leftOut.get(written) ?? 0) + 1);
    return null;
  }

  get records(): ClubRecord[] {
    return [...this.#made.values()].toSorted((a, b) => (a.slug < b.slug ? -1 : 1));
  }
}
