import { href, html, type Html } from '../html.ts';

/** Text of an organiser: what looks like an address of the web becomes a link, and nothing else changes. */
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

// Characters that turn the direction of text around would show another address than the link has.
const addresses = /\bhttps?:\/\/[^\s<>"\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]+/giu;

/** What stands at the end belongs to the sentence: a full stop, a bracket that was opened in front of the address. */
function withoutPunctuation(address: string): string {
  const count = (sign: string) => address.split(sign).length;
  // One look at each sign: the text may be nothing but brackets.
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

/** `https://bank.example@other.example` leads to the other one. */
function hasUser(address: string): boolean {
  const { username, password } = new URL(address);
  return username !== '' || password !== '';
}
