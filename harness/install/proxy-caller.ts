import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { domain } from './proxies.ts';

export interface Target {
  path: string;
  headers?: Record<string, string>;
}

export interface ProxiedAnswer {
  status: number;
  /** Returns a header, or '' if it is absent. */
  header: (name: string) => string;
  text: string;
}

/** Sends requests to a proxy of deploy/ under its host name, over TLS, on connections that are kept open. */
export class ProxyCaller {
  readonly program: string;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #port: number;
  readonly #authority: string;

  constructor(program: string, port: number, authority: string) {
    this.program = program;
    this.#port = port;
    this.#authority = authority;
  }

  /** Waits until the proxy answers, because it may still be starting. */
  async untilAnswered(...targets: Target[]): Promise<void> {
    let failures: unknown[] = [];
    for (let attempt = 0; attempt < 1_200; attempt += 1) {
      failures = (await Promise.all(targets.map((target) => this.failure(target)))).filter(Boolean);
      if (failures.length === 0) return;
      await sleep(100);
    }
    throw new Error(`${this.program} does not answer: ${failures.join(', ')}`);
  }

  /** Returns undefined for a complete answer with status 200, and otherwise what went wrong. */
  async failure(target: Target): Promise<string | undefined> {
    try {
      const { status } = await this.ask(target);
      return status === 200 ? undefined : `${target.path}: ${status}`;
    } catch (error) {
      return `${target.path}: ${String(error)}`;
    }
  }

  ask({ path, headers = {} }: Target): Promise<ProxiedAnswer> {
    return new Promise((resolve, reject) => {
      const asked = request(
        {
          host: '127.0.0.1',
          port: this.#port,
          servername: domain,
          path,
          headers: { host: domain, ...headers },
          ca: this.#authority,
          agent: this.#agent,
          timeout: 120_000,
        },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () =>
            resolve({
              status: answer.statusCode ?? 0,
              header: (name) => String(answer.headers[name] ?? ''),
              text: Buffer.concat(chunks).toString(),
            }),
          );
        },
      );
      asked.on('timeout', () => asked.destroy(new Error('no answer in 15 s')));
      asked.on('error', reject);
      asked.end();
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
