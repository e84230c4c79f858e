import { copyFile, mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import fastify from 'fastify';

// npm run reference
//
// Extracts the script of the API reference, and its licence, from its makers' package. Our own package
// contains these two files, but none of their packages. `npm run build`, `npm run dev` and `npm test` run
// this first.
const folder = path.join(import.meta.dirname, '../assets/reference');
const file = path.join(folder, 'scalar.js');
const plugin = '@scalar/fastify-api-reference';
const packageFolder = path.join(path.dirname(createRequire(import.meta.url).resolve(plugin)), '..');
const { version } = JSON.parse(await readFile(path.join(packageFolder, 'package.json'), 'utf8')) as {
  version: string;
};
const firstLine = `/* From ${plugin} ${version}. Its licence stands beside this file. */\n`;

if ((await beginning(firstLine.length)) !== firstLine) {
  await mkdir(folder, { recursive: true });
  // Another run may read the file in the meantime.
  const fresh = `${file}.${process.pid}`;
  await writeFile(fresh, firstLine + (await scriptOf()));
  await rename(fresh, file);
  await copyFile(path.join(packageFolder, 'LICENSE'), path.join(folder, 'LICENSE'));
}

async function beginning(length: number): Promise<string | undefined> {
  const opened = await open(file).catch(() => undefined);
  if (opened === undefined) return undefined;
  const { buffer, bytesRead } = await opened.read(Buffer.alloc(length), 0, length, 0);
  await opened.close();
  return buffer.toString('utf8', 0, bytesRead);
}

/** Returns the script, which the plugin contains but only serves through a server of its own. */
async function scriptOf(): Promise<string> {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const workshop = fastify();
  await workshop.register(reference, { routePrefix: '/reference', configuration: { content: {} } });
  const { statusCode, body } = await workshop.inject('/reference/js/scalar.js');
  await workshop.close();
  if (statusCode !== 200) throw new Error(`${plugin} has no script: ${statusCode}`);
  return body;
}
