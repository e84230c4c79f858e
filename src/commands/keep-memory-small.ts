import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the heap small in commands that process much data but keep little of it. By default V8 lets garbage
 * grow to several times the live data: an import of 100 MB peaked at 430 MB. With these flags it peaked at
 * 280 MB and took about a tenth more time.
 */
export function keepMemorySmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=50');
}
