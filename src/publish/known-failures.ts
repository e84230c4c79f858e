import type { MarkedKind } from '../record/backlog/marks.ts';
import type { Failure } from '../record/backlog/drain.ts';

const retryMs = 5_000;

/**
 * Remembers what could not be published. Publishers skip it until the next retry, so it does not delay the
 * rest.
 */
export class KnownFailures {
  readonly #failures = new Map<string, Failure>();
  #retryAt = Date.now() + retryMs;

  get list(): Failure[] {
    return [...this.#failures.values()];
  }

  has(kind: MarkedKind, key: string): boolean {
    return this.get(kind, key) !== undefined;
  }

  get(kind: MarkedKind, key: string): Failure | undefined {
    return this.#failures.get(`${kind} ${key}`);
  }

  add(failures: Failure[]): void {
    for (const failure of failures) this.#failures.set(`${failure.kind} ${failure.key}`, failure);
  }

  /** Forgets all failures every 5 s, so that publishers try them again. */
  retryIfDue(): void {
    if (Date.now() >= this.#retryAt) this.retry();
  }

  retry(): void {
    this.#failures.clear();
    this.#retryAt = Date.now() + retryMs;
  }
}
