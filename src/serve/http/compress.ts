import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const compressors = {
  br: (body: Buffer) => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body: Buffer) => promisify(gzip)(body, { level: 6 }),
};
type Encoding = keyof typeof compressors;

interface Compressed {
  body: Buffer;
  encoding?: Encoding;
}

/** Compresses a large enough text with the encoding that the caller prefers, or brotli without a preference. */
export async function compressed(text: string, acceptEncoding: string | undefined): Promise<Compressed> {
  const body = Buffer.from(text);
  return compressedAs(body, worthwhileEncoding(body, acceptEncoding));
}

/** The same for a text that does not change: compresses it at the first use of each encoding and keeps the result. */
export function compressedOnce(text: string): (acceptEncoding: string | undefined) => Promise<Compressed> {
  const body = Buffer.from(text);
  const made = new Map<Encoding | undefined, Promise<Compressed>>();
  return (acceptEncoding) => {
    const encoding = worthwhileEncoding(body, acceptEncoding);
    const making = made.get(encoding) ?? compressedAs(body, encoding);
    made.set(encoding, making);
    return making;
  };
}

async function compressedAs(body: Buffer, encoding: Encoding | undefined): Promise<Compressed> {
  return encoding === undefined ? { body } : { body: await compressors[encoding](body), encoding };
}

function worthwhileEncoding(body: Buffer, acceptEncoding = ''): Encoding | undefined {
  return body.length < worthwhileBytes ? undefined : chosenEncoding(acceptEncoding);
}

/** Smaller answers are mostly headers and fit into one packet. */
const worthwhileBytes = 1_024;
const brotli = promisify(brotliCompress);

/** RFC 9110, 12.5.3. When no accepted encoding is available, we send the answer plain instead of refusing it. */
export function chosenEncoding(acceptEncoding: string): Encoding | undefined {
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const found = /^[ \t]*([a-z0-9*-]+)[ \t]*(?:;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*)?$/.exec(
      part,
    );
    if (found?.[1] !== undefined) weights.set(found[1].replace('x-gzip', 'gzip'), Number(found[2] ?? 1));
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  // Plain text is acceptable unless the caller excludes it, but preferred only when the caller names it.
  const plain = weights.get('identity') ?? 0;
  const [best] = (['br', 'gzip'] as const).toSorted((a, b) => weightOf(b) - weightOf(a));
  if (best === undefined || weightOf(best) === 0 || weightOf(best) < plain) return undefined;
  return best;
}
