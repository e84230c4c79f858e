import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from '../support/postgres.ts';
import { withFolder } from '../proofs/proof.ts';
import { Instance } from './instance.ts';
import type { KindOfProxy, Ports } from './proxies.ts';
import { ProxyCaller } from './proxy-caller.ts';

/**
 * Lends two servers behind a proxy of deploy/, started as docs/install.md says, and a caller of the proxy.
 */
export async function withTwoInstances<T>(
  { program, start }: KindOfProxy,
  settings: Record<string, string>,
  work: (instances: Instance[], caller: ProxyCaller, ports: Ports) => Promise<T>,
): Promise<T> {
  return withFolder(async (folder) => {
    const ports: Ports = {
      api: await freePort(),
      site: await freePort(),
      ops: await freePort(),
      https: await freePort(),
      data: path.join(folder, 'wartable-files'),
    };
    // nginx reads the files as another user.
    await chmod(folder, 0o755);
    await mkdir(ports.data);
    const all = { ...settingsOf(ports), ...settings };
    const instances = [1, 2].map((number) => new Instance(number, ports, all));
    const stops: (() => Promise<void>)[] = instances.map((instance) => () => instance.kill());
    try {
      await Promise.all(instances.map((instance) => instance.start()));
      const proxy = await start(folder, ports);
      stops.push(proxy.stop);
      const caller = new ProxyCaller(program, ports.https, proxy.authority);
      stops.push(async () => caller.close());
      return await work(instances, caller, ports);
    } finally {
      for (const stop of stops.toReversed()) await stop();
    }
  });
}

const settingsOf = (ports: Ports): Record<string, string> => ({
  CURSOR_SECRETS: 'a-secret-of-the-proofs-and-of-nobody-else',
  API_PORT: String(ports.api),
  SITE_PORT: String(ports.site),
  OPS_PORT: String(ports.ops),
  LOG_LEVEL: 'warn',
});
