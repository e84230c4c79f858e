import { href, html, type Html } from '../html.ts';

/** Turns whatever looks like a web address in an organiser's text into a link, and changes nothing else. */
export function linkedText(text: string): Html {
  const parts: (Html | string)[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(addresses)) {
    const address = withoutPunctuation(found);
    const target = href(address);
    if (target === undefined || hasUser(target)) continue;
    parts.push(text.slice(end, index), html`<a href="${target}" rel="nofollow noopener">${address}</a>`);
    end = index + address.length;
  }
  return html`${parts}${text.slice(end)}`;
}

// An address ends before characters that change the direction of text, because they would make it look like
// another address than the one that the link leads to.
const addresses = /\bhttps?:\/\/[^\s<>"\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]+/giu;

/**
 * Removes from the end what belongs to the sentence: a full stop, or a bracket that was opened before the
 * address.
 */
function withoutPunctuation(address: string): string {
  const count = (sign: string) => address.split(sign).length;
  // Each bracket is counted only once, because the text may be nothing but brackets.
  const unopened = { ')': count(')') - count('('), ']': count(']') - count('[') };
  let end = address.length;
  for (; end > 0; end -= 1) {
    const last = address.charAt(end - 1);
    if (last === ')' || last === ']') {
      if (unopened[last] <= 0) break;
      unopened[last] -= 1;
    } else if (!punctuation.includes(last)) break;
  }
  return address.slice(0, end);
}

const punctuation = ".,;:!?'’”»*_~…";

/** Returns true for an address like `https://bank.example@other.example`, which leads to the other host. */
function hasUser(address: string): boolean {
  const { username, password } = new URL(address);
  return username !== '' || password !== '';
}
