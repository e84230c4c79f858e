import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Output } from './kinds.ts';

/** The description of a file in index.json. */
export interface FileEntry {
  name: string;
  kind: string;
  month: string | null;
  rows: number;
  bytes: number;
  sha256: string;
}

/**
 * A file that is being written. It gets its name once it is complete, because the name contains a digest of
 * the bytes. So a name always stands for the same bytes, and a file that already exists need not be written.
 */
export class DataFile {
  readonly #folder: string;
  readonly #output: Output;
  readonly #month: string | null;
  readonly #part: string;
  // Node writes no time into the gzip header, so the same lines give the same bytes.
  readonly #gzip = createGzip();
  readonly #digest = createHash('sha256');
  readonly #written: Promise<void>;
  #text: string;
  #rows = 0;
  #bytes = 0;

  constructor(folder: string, output: Output, month: string | null) {
    this.#folder = folder;
    this.#output = output;
    this.#month = month;
    this.#text = output.header;
    this.#part = path.join(folder, `${this.#name('')}.part`);
    this.#written = pipeline(
      this.#gzip,
      (pieces: AsyncIterable<Buffer>) => this.#counted(pieces),
      createWriteStream(this.#part, { flags: 'wx', flush: true }),
    );
    this.#written.catch(() => undefined); // `add` and `complete` await this promise
  }

  async add(lines: string[]): Promise<void> {
    this.#rows += lines.length;
    this.#text += lines.join('');
    if (this.#text.length < 1 << 16) return;
    const text = this.#text;
    this.#text = '';
    if (!this.#gzip.write(text)) await Promise.race([once(this.#gzip, 'drain'), this.#written]);
  }

  /** Completes the file. The result also says whether the file is new. */
  async complete(): Promise<FileEntry & { isNew: boolean }> {
    this.#gzip.end(this.#text);
    await this.#written;
    const sha256 = this.#digest.digest('hex');
    const name = this.#name(`-${sha256.slice(0, 16)}`);
    const file = path.join(this.#folder, name);
    const present = await stat(file).catch(() => undefined);
    const isNew = present?.size !== this.#bytes;
    await (isNew ? rename(this.#part, file) : rm(this.#part));
    const { kind } = this.#output;
    return { name, kind, month: this.#month, rows: this.#rows, bytes: this.#bytes, sha256, isNew };
  }

  #name(digest: string): string {
    return `${this.#output.kind}-${this.#month ?? 'undated'}${digest}.${this.#output.extension}.gz`;
  }

  async *#counted(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      this.#digest.update(piece);
      this.#bytes += piece.length;
      yield piece;
    }
  }
}
