import { promisify } from 'node:util';
import { brotliCompress, type BrotliOptions, constants, gzip, type ZlibOptions } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Compresses a body. At most two compressions run at once, because each takes a whole core. Returns undefined
 * if too many are waiting, because sending the answer uncompressed is quicker then.
 */
export async function compressed(body: Buffer, encoding: Encoding): Promise<Buffer | undefined> {
  if (waiting.length >= maxWaiting) return undefined;
  if (running >= slots) await new Promise<void>((go) => waiting.push(go));
  else running += 1;
  try {
    return await compress[encoding](body);
  } finally {
    // The next one takes over the slot.
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

const slots = 2;
const maxWaiting = 16;

const compress = {
  br: (body: Buffer) => promisify(brotliCompress)(body, brotliOptions(body)),
  gzip: (body: Buffer) => promisify(gzip)(body, gzipOptions),
};

const gzipOptions: ZlibOptions = { level: 6 };

function brotliOptions(body: Buffer): BrotliOptions {
  return {
    params: {
      // We measured this on answers of this API: 5 produces less than 4 and is not slower.
      [constants.BROTLI_PARAM_QUALITY]: 5,
      // The default window of 4 MB takes twice the time for a list page, and each compression allocates it.
      [constants.BROTLI_PARAM_LGWIN]: Math.min(Math.max(Math.ceil(Math.log2(body.length + 16)), 16), 22),
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  };
}
