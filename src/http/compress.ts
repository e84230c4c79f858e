import { ownBytes, ownCopy } from './bytes.ts';
import { compressed, type Encoding } from './compressor.ts';

export interface EncodedBody {
  bytes: Buffer;
  encoding?: Encoding;
}

/** A body that does not change. It is compressed when an encoding is first asked for. */
export class Body {
  readonly plain: EncodedBody;
  // Most bodies are never compressed, and an empty Map takes 200 bytes.
  #made: { [encoding in Encoding]?: EncodedBody } | undefined;
  #making: { [encoding in Encoding]?: Promise<EncodedBody> } | undefined;

  /** Takes a text, or bytes in a buffer of their own. */
  constructor(content: string | Buffer) {
    this.plain = { bytes: typeof content === 'string' ? ownBytes(content) : content };
  }

  /**
   * Returns the body in the encoding that the caller prefers, or in Brotli if there is no preference. Small
   * bodies stay uncompressed, and so do all while the compressor is too busy.
   */
  async in(acceptEncoding: string | undefined): Promise<EncodedBody> {
    const ready = this.ready(acceptEncoding);
    const encoding = this.#encodingFor(acceptEncoding);
    if (ready !== undefined || encoding === undefined) return ready ?? this.plain;
    return this.#making?.[encoding] ?? this.#make(encoding);
  }

  /** Returns what `in` would return if it is available already. */
  ready(acceptEncoding: string | undefined): EncodedBody | undefined {
    const encoding = this.#encodingFor(acceptEncoding);
    return encoding === undefined ? this.plain : this.#made?.[encoding];
  }

  /** The memory that the body takes in all the encodings made so far. */
  get size(): number {
    const made = [this.plain, this.#made?.br, this.#made?.gzip];
    return made.reduce((sum, each) => sum + (each === undefined ? 0 : bufferBytes + each.bytes.length), 0);
  }

  #encodingFor(acceptEncoding = ''): Encoding | undefined {
    return this.plain.bytes.length < worthwhileBytes ? undefined : preferredEncoding(acceptEncoding);
  }

  /** Compresses once for all callers who ask in the meantime. */
  #make(encoding: Encoding): Promise<EncodedBody> {
    const making = this.#compress(encoding).finally(() => delete this.#making?.[encoding]);
    this.#making = { ...this.#making, [encoding]: making };
    return making;
  }

  async #compress(encoding: Encoding): Promise<EncodedBody> {
    const bytes = await compressed(this.plain.bytes, encoding);
    if (bytes === undefined) return this.plain;
    const made = { bytes: ownCopy(bytes), encoding };
    this.#made = { ...this.#made, [encoding]: made };
    return made;
  }
}

/** The memory that a buffer takes besides its bytes, in two JavaScript objects and one outside the heap. */
const bufferBytes = 400;

/** Smaller answers are mostly headers and fit into one packet. */
const worthwhileBytes = 1_024;

/** Remembered because callers send few different headers, and each of them often. */
const preferences = new Map<string, Encoding | undefined>();
const maxPreferences = 200;

function preferredEncoding(acceptEncoding: string): Encoding | undefined {
  if (preferences.has(acceptEncoding)) return preferences.get(acceptEncoding);
  const encoding = chosenEncoding(acceptEncoding);
  if (preferences.size < maxPreferences) preferences.set(acceptEncoding, encoding);
  return encoding;
}

/**
 * Chooses an encoding according to RFC 9110, 12.5.3. If none of the accepted ones is available, we send the
 * answer uncompressed instead of refusing it.
 */
export function chosenEncoding(acceptEncoding: string): Encoding | undefined {
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const found = /^[ \t]*([a-z0-9*-]+)[ \t]*(?:;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*)?$/.exec(
      part,
    );
    if (found?.[1] !== undefined) weights.set(found[1].replace('x-gzip', 'gzip'), Number(found[2] ?? 1));
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  // An uncompressed answer is acceptable unless the caller excludes it, but preferred only if the caller
  // names it.
  const plain = weights.get('identity') ?? 0;
  const [best] = (['br', 'gzip'] as const).toSorted((a, b) => weightOf(b) - weightOf(a));
  if (best === undefined || weightOf(best) === 0 || weightOf(best) < plain) return undefined;
  return best;
}
