import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { lockedPlaces, nameAt } from './locked-packages.ts';

/**
 * Starts a registry as it may look some time after a release. It has each package that we ship in the version
 * of the lock file, and in a newer version that a caret allows. The newer one is empty, because nobody has
 * tested it.
 */
export async function startLaterRegistry(
  checkout: string,
  folder: string,
): Promise<{ url: string; close: () => void }> {
  const places = new Map(Object.entries(await lockedPlaces(checkout)));
  const server = createServer(async ({ url: target = '' }, response) => {
    const asked = decodeURIComponent(target.slice(1));
    const [, place = '', version = ''] = /^-\/(.+)\/([^/]+)\.tgz$/.exec(asked) ?? [];
    const locked = places.get(place);
    if (locked !== undefined) {
      const source =
        version === locked.version ? path.join(checkout, place) : await emptyPackage(folder, place, version);
      const tar = spawn('tar', ['--create', '--directory', path.dirname(source), path.basename(source)]);
      tar.stdout.pipe(response);
      return;
    }
    const versions = [...places]
      .filter(([each]) => nameAt(each) === asked)
      .flatMap(([each, entry]) =>
        [entry.version, laterVersion(entry.version)].map((is) => ({
          ...entry,
          name: asked,
          version: is,
          dist: { tarball: `${url}/-/${encodeURIComponent(each)}/${is}.tgz` },
        })),
      );
    response.writeHead(versions.length === 0 ? 404 : 200, { 'Content-Type': 'application/json' });
    response.end(
      JSON.stringify({
        name: asked,
        'dist-tags': { latest: versions.at(-1)?.version },
        versions: Object.fromEntries(versions.map((each) => [each.version, each])),
      }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Returns the release of a beta version, or the next patch. */
function laterVersion(version: string): string {
  const [, release = '', patch = '', beta] = /^(\d+\.\d+)\.(\d+)(-.+)?$/.exec(version) ?? [];
  return `${release}.${Number(patch) + (beta === undefined ? 1 : 0)}`;
}

async function emptyPackage(folder: string, place: string, version: string): Promise<string> {
  const source = await mkdtemp(path.join(folder, 'later-'));
  await writeFile(path.join(source, 'package.json'), JSON.stringify({ name: nameAt(place), version }));
  return source;
}
