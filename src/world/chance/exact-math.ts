// exp and log from the four basic operations only. Engines and processors may differ in the last bit of Math.exp and
// Math.log (a fused multiply-add is enough), and one different bit would change all bytes after it.

export function exp(x: number): number {
  const whole = Math.round(x / Math.LN2);
  const rest = x - whole * Math.LN2;
  let sum = 1;
  for (let term = 14; term > 0; term--) sum = 1 + (sum * rest) / term;
  for (let i = 0; i < whole; i++) sum *= 2;
  for (let i = 0; i > whole; i--) sum /= 2;
  return sum;
}

/** `x` must be positive. */
export function log(x: number): number {
  let scaled = x;
  let whole = 0;
  for (; scaled < 0.7; whole--) scaled *= 2;
  for (; scaled > 1.4; whole++) scaled /= 2;
  const s = (scaled - 1) / (scaled + 1);
  const square = s * s;
  let sum = 0;
  for (let odd = 19; odd > 0; odd -= 2) sum = sum * square + 1 / odd;
  return whole * Math.LN2 + 2 * s * sum;
}

export function logistic(x: number): number {
  return 1 / (1 + exp(-x));
}
