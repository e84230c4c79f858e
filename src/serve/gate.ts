import { errors } from '../contract/errors.ts';
import { RefusedRequest } from './errors.ts';

export interface Gate {
  /** Does the work, or refuses it at once. */
  pass: <T>(work: () => Promise<T>) => Promise<T>;
  inside: () => number;
}

/**
 * How many may read documents at once: with more under way, everybody would only wait longer for the same few
 * connections. A place is held for the reading alone and not until the answer is sent: a caller who goes away, or never
 * reads, must not keep it.
 */
export function createGate(most: number): Gate {
  let inside = 0;
  return {
    pass: async (work) => {
      if (inside >= most) throw new RefusedRequest(errors.unavailable);
      inside += 1;
      try {
        return await work();
      } finally {
        inside -= 1;
      }
    },
    inside: () => inside,
  };
}
