import { generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';
import { html, type Html } from '../html.ts';

/** Draws a QR code as one path. It is dark on light, because some phones read nothing else. */
export function qrCode(address: string): Html {
  const known = codes.get(address);
  if (known !== undefined) return known;
  const code = generate(address);
  const size = code.size + 2 * quiet;
  const drawn = html`<svg viewBox="${-quiet} ${-quiet} ${size} ${size}" shape-rendering="crispEdges" aria-hidden="true" focusable="false"><path d="${toSvgPath(code)}"/></svg>`;
  if (codes.size >= mostCodes) codes.clear();
  codes.set(address, drawn);
  return drawn;
}

/** A reader needs a margin of this many modules. */
const quiet = 4;

/** Kept because a screen asks for the same code again and again. */
const codes = new Map<string, Html>();
const mostCodes = 100;
