import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { bareEnvironment } from '../support/bare-environment.ts';
import type { Ports } from './proxies.ts';

/** A server like that of wartable-serve@.service, on an address of its own. */
export class Instance {
  readonly #host: string;
  readonly #environment: Record<string, string>;
  readonly #ops: string;
  #child: ChildProcess | undefined;

  constructor(number: number, ports: Pick<Ports, 'ops'>, settings: Record<string, string>) {
    this.#host = `127.0.10.${number}`;
    this.#environment = { API_HOST: this.#host, SITE_HOST: this.#host, OPS_HOST: this.#host, ...settings };
    this.#ops = `http://${this.#host}:${ports.ops}`;
  }

  async start(): Promise<void> {
    this.#child = spawn(process.execPath, ['src/cli.ts', 'serve'], {
      cwd: new URL('../..', import.meta.url),
      env: { ...bareEnvironment, ...this.#environment },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    for (let attempt = 0; attempt < 1_200; attempt += 1) {
      if (this.#child.exitCode !== null) throw new Error(`${this.#host} ended with ${this.#child.exitCode}`);
      const isReady = await fetch(`${this.#ops}/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isReady) return;
      await sleep(100);
    }
    throw new Error(`${this.#host} did not become ready`);
  }

  async metrics(): Promise<string> {
    return (await fetch(`${this.#ops}/metrics`)).text();
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const [code] = (await ended) as [number | null];
    if (code !== 0) throw new Error(`${this.#host} ended with ${code} after SIGTERM`);
  }

  /** Kills the server, as if the machine had failed. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    this.#child = undefined;
  }
}
