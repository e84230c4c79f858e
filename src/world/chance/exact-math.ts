// Computes exp with the four basic operations only. Engines and processors may differ in the last bit of
// Math.exp (a fused multiply-add is enough), and one different bit would change all bytes after it.

export function exp(x: number): number {
  const whole = Math.round(x / Math.LN2);
  const rest = x - whole * Math.LN2;
  let sum = 1;
  for (let term = 14; term > 0; term--) sum = 1 + (sum * rest) / term;
  for (let i = 0; i < whole; i++) sum *= 2;
  for (let i = 0; i > whole; i--) sum /= 2;
  return sum;
}

export function logistic(x: number): number {
  return 1 / (1 + exp(-x));
}
