import { setFlagsFromString } from 'node:v8';

/**
 * For commands that process much data and keep little of it. By default V8 lets garbage grow to several times the live
 * data: an import of 100 MB peaked at 430 MB. With these flags it peaked at 280 MB and took about a tenth more time.
 */
export function keepMemorySmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=50');
}

/**
 * For a server, whose kept answers are bytes outside of V8's heap. By default V8 counts such bytes apart and lets 64 MB of
 * them wait for garbage collection. With these flags, and those of bin/wartable.cjs, a server takes much less
 * (docs/bench.md, "What limits memory"). A smaller growth costs more time than it saves memory.
 */
export function keepServerSmall(): void {
  setFlagsFromString('--external-memory-accounted-in-global-limit');
  setFlagsFromString('--heap-growing-percent=15');
}
