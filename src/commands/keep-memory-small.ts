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
  // The young generation is so small that more threads only cost time.
  setFlagsFromString('--no-parallel-scavenge');
  setFlagsFromString(`--heap-growing-percent=${growth}`);
}

let growth = 15;

/**
 * While many requests wait, what they hold outlives the young generation. With a growth of 15 % V8 then takes a third of a core
 * to look through the whole heap, two or three times a second. V8 uses the new value from its next collection on.
 */
export function letServerGrow(isCrowded: boolean): void {
  const wanted = isCrowded ? 60 : 15;
  if (wanted === growth) return;
  growth = wanted;
  setFlagsFromString(`--heap-growing-percent=${growth}`);
}
