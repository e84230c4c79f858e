// The clubs that the sheets name. Only clubs that are known to be recorded go into the feed, and new ones if
// they are allowed.
import { fold } from '../text/fold.ts';
import type { ClubRecord } from '../record/feed/records.ts';
import { slugOf } from './ids.ts';

export interface ClubOptions {
  /** The slug and the name of each recorded club. The name may be empty. */
  known: [slug: string, name: string][];
  newClubs: boolean;
}

export class Clubs {
  readonly #bySlug: Map<string, string>;
  readonly #byName: Map<string, string>;
  readonly #newClubs: boolean;
  readonly #isAlone: boolean;
  readonly #made = new Map<string, ClubRecord>();
  /** The clubs that were left out, as written, and how often. */
  readonly leftOut = new Map<string, number>();

  /** `isAlone` makes known clubs be sent, too. */
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
      // Whatever a server knows about a club stays as it is. A preview knows only the sheets.
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
