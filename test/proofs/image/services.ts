import { existsSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Compose } from '../../support/compose.ts';
import type { BuiltImage } from './build.ts';
import { type Container, type Network, until } from './container.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const entrypoint = path.join(repository, 'test/proofs/image/docker-entrypoint.sh');

export interface Services {
  /** Starts what compose.yaml says about a service. Other arguments replace its command, as `docker compose run` does. */
  start: (name: string, given?: string[], stdin?: string) => Promise<Container>;
  /** Runs the health check of a service. */
  check: (name: string, container: Container) => Promise<{ code: number; printed: string }>;
  /** Seconds until the health check succeeds. */
  untilHealthy: (name: string, container: Container) => Promise<number>;
}

/** The services of compose.yaml. PostgreSQL and Caddy are Debian's, in `neighbours`. */
export function createServices(
  compose: Compose,
  image: BuiltImage,
  neighbours: string,
  network: Network,
  folder: string,
): Services {
  function serviceOf(name: string) {
    const service = compose.services[name];
    if (service === undefined) throw new Error(`compose.yaml has no service ${name}`);
    return service;
  }

  async function start(name: string, given?: string[], stdin = ''): Promise<Container> {
    const service = serviceOf(name);
    const mounts: [string, string][] = [];
    for (const volume of service.volumes ?? []) {
      const [source = '', target = ''] = volume.split(':');
      const isFile = source.startsWith('./');
      const from = isFile ? path.join(repository, source) : path.join(folder, 'volumes', source);
      if (!isFile && !existsSync(from)) {
        await mkdir(from, { recursive: true });
        // A new volume has the rights of the folder in the image: in PostgreSQL's every user may write there.
        await chmod(from, 0o1777);
      }
      mounts.push([from, target]);
    }
    const command = given ?? service.command;
    const common = {
      mounts,
      isReadOnly: service.read_only === true,
      hasCapabilities: service.cap_drop === undefined,
      tmpfs: service.tmpfs ?? [],
      stdin,
    };
    if (service.image === 'wartable') {
      const { config } = image;
      const ofImage = Object.fromEntries(
        config.Env.map((pair) => pair.split(/=(.*)/s).slice(0, 2) as [string, string]),
      );
      return network.run(name, {
        ...common,
        root: image.root,
        command: [...config.Entrypoint, ...(command ?? config.Cmd)],
        environment: { ...ofImage, ...service.environment },
        user: config.User,
        workingFolder: config.WorkingDir,
      });
    }
    const isPostgres = service.image.startsWith('postgres:');
    return network.run(name, {
      ...common,
      root: neighbours,
      command: isPostgres ? ['docker-entrypoint.sh', ...(command ?? [])] : caddyCommand,
      environment: { ...neighbourEnvironment, ...service.environment },
      user: service.user,
      workingFolder: '/',
      tmpfs: ['/tmp'],
      mounts: isPostgres ? [...mounts, [entrypoint, '/usr/local/bin/docker-entrypoint.sh']] : mounts,
    });
  }

  async function check(name: string, container: Container) {
    const [kind, ...command] = serviceOf(name).healthcheck?.test ?? image.config.Healthcheck.Test;
    if (kind !== 'CMD') throw new Error(`${name}: its health check is no list of arguments`);
    return container.exec(command);
  }

  return {
    start,
    check,
    untilHealthy: (name, container) =>
      until(`${name} is healthy`, container, async () => (await check(name, container)).code === 0),
  };
}

/** The command of Caddy's image. */
const caddyCommand = ['caddy', 'run', '--config', '/etc/caddy/Caddyfile', '--adapter', 'caddyfile'];

const neighbourEnvironment = {
  PATH: '/usr/local/bin:/usr/lib/postgresql/15/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  PGDATA: '/var/lib/postgresql/18/docker',
  XDG_DATA_HOME: '/data',
  XDG_CONFIG_HOME: '/tmp',
};
