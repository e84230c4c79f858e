// Node cuts small buffers out of a shared slab, and so does zlib with its results. A piece of 2 kB that we
// keep would keep 64 kB alive, so everything we keep gets a buffer of its own.

// Texts are written here first, because asking for their length beforehand would take a third of the time.
const scratch = Buffer.allocUnsafeSlow(1 << 18);
const maxBytesOfUnit = 3;

/**
 * Writes the texts one after the other into a buffer of its own. They are not joined first, because joining
 * long texts takes as long as writing them.
 */
export function ownBytes(...texts: string[]): Buffer {
  const units = sumOf(texts, ({ length }) => length);
  const isLarge = units * maxBytesOfUnit > scratch.length;
  // A large text would have to be copied a second time, which costs more than asking for its length.
  const buffer = isLarge ? Buffer.allocUnsafeSlow(sumOf(texts, (text) => Buffer.byteLength(text))) : scratch;
  let end = 0;
  for (const text of texts) end += buffer.write(text, end);
  return isLarge ? buffer : ownCopy(buffer.subarray(0, end));
}

function sumOf(texts: string[], size: (text: string) => number): number {
  return texts.reduce((sum, text) => sum + size(text), 0);
}

export function ownCopy(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

/** Replaces each line break by a comma. */
export function linesToList(bytes: Buffer): Buffer {
  for (let at = bytes.indexOf(lineBreak); at >= 0; at = bytes.indexOf(lineBreak, at + 1)) bytes[at] = comma;
  return bytes;
}

const lineBreak = 0x0a;
const comma = 0x2c;
