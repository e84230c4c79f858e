import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import {
  brotliCompress,
  type BrotliOptions,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  type ZlibOptions,
} from 'node:zlib';
import { createQueue } from './queue.ts';

export type Encoding = 'br' | 'gzip';

let inside = 0;
const queue = createQueue<undefined>({ mostWaiting: 1_000, longestWaitMs: 250, onWaited: () => {} });

/**
 * At most two compressions run at once, because each takes a whole core. Undefined when both are busy for too long: then
 * a plain answer is quicker. A large body does not wait at all, and gives up after `longestMs`. Undefined also when the
 * signal aborts.
 */
export async function compressed(
  body: Buffer,
  encoding: Encoding,
  signal: AbortSignal,
  longestMs: number,
): Promise<Buffer | undefined> {
  const isLarge = body.length > largeBytes;
  if (inside < places) inside += 1;
  else if (isLarge || (await queue.wait(undefined, signal)) !== 'served') return undefined;
  const inTime = isLarge ? AbortSignal.any([signal, AbortSignal.timeout(longestMs)]) : signal;
  try {
    return await (isLarge ? inPieces(body, encoding, inTime) : atOnce[encoding](body));
  } catch (error) {
    if (!inTime.aborted) throw error;
    return undefined;
  } finally {
    if (queue.letIn(() => true, 1) === 0) inside -= 1;
  }
}

const places = 2;
const largeBytes = 1_000_000;
/** Each piece waits for the main thread. With 256 kB a busy machine took five times as long. */
const pieceBytes = 1 << 20;

const atOnce = {
  br: (body: Buffer) => promisify(brotliCompress)(body, brotliOptions(body)),
  gzip: (body: Buffer) => promisify(gzip)(body, gzipOptions),
};

const inStream = {
  br: (body: Buffer) => createBrotliCompress({ ...brotliOptions(body), chunkSize: pieceBytes }),
  gzip: (_body: Buffer) => createGzip({ ...gzipOptions, chunkSize: pieceBytes }),
};

/** Slower than at once, but it can stop between two pieces. */
async function inPieces(body: Buffer, encoding: Encoding, signal: AbortSignal): Promise<Buffer> {
  const made: Buffer[] = [];
  await pipeline(
    Readable.from(piecesOf(body)),
    inStream[encoding](body),
    async (source: AsyncIterable<Buffer>) => {
      for await (const piece of source) made.push(piece);
    },
    { signal },
  );
  return Buffer.concat(made);
}

function* piecesOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += pieceBytes) yield body.subarray(at, at + pieceBytes);
}

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
