import { promisify } from 'node:util';
import { brotliCompress, type BrotliOptions, constants, gzip, type ZlibOptions } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

let running = 0;
const waiting: (() => void)[] = [];

/**
 * At most two compressions run at once, because each takes a whole core. Undefined when too many wait: then a plain answer is
 * quicker.
 */
export async function compressed(body: Buffer, encoding: Encoding): Promise<Buffer | undefined> {
  if (waiting.length >= maxWaiting) return undefined;
  if (running >= places) await new Promise<void>((go) => waiting.push(go));
  else running += 1;
  try {
    return await compress[encoding](body);
  } finally {
    // The next one takes over the place.
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

const places = 2;
const maxWaiting = 16;

const compress = {
  br: (body: Buffer) => promisify(brotliCompress)(body, brotliOptions(body)),
  gzip: (body: Buffer) => promisify(gzip)(body, gzipOptions),
};

const gzipOptions: ZlibOptions = { level: 6 };

function brotliOptions(body: Buffer): BrotliOptions {
  return {
    params: {
      // Measured on answers of this API: 5 is smaller than 4 and not slower.
      [constants.BROTLI_PARAM_QUALITY]: 5,
      // The default window of 4 MB takes twice the time for a list page, and its memory for each compression.
      [constants.BROTLI_PARAM_LGWIN]: Math.min(Math.max(Math.ceil(Math.log2(body.length + 16)), 16), 22),
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  };
}
