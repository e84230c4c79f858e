/**
 * Text that is already HTML. Only this file can make it, so all other text is escaped on its way into a page.
 */
export class Html {
  readonly text: string;
  constructor(text: string, maker: typeof here) {
    if (maker !== here) throw new Error('only the tag `html` makes HTML');
    this.text = text;
  }
}

export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

const here = Symbol('html.ts');

/**
 * The template tag of every page: html`<h1>${name}</h1>`. Values are escaped for text and for quoted
 * attributes. Null, undefined and false write nothing. The items of a list are written one after the other.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = strings[0] ?? '';
  for (let i = 0; i < values.length; i += 1) text += written(values[i]) + (strings[i + 1] ?? '');
  return new Html(text, here);
}

/** Marks text as HTML without checking it. It is only for text of our own: the rendered guides. */
export function raw(text: string): Html {
  return new Html(text, here);
}

/** Joins parts of a page, with the same text between them. */
export function joined(parts: readonly HtmlValue[], between: string): Html {
  return new Html(parts.map(written).join(escaped(between)), here);
}

/**
 * Returns the address of a link if a browser may follow it: http, https or a path of this site. Otherwise
 * returns undefined.
 */
export function href(address: string | null): string | undefined {
  if (address === null) return undefined;
  if (/^\/(?![/\\])/.test(address)) return address;
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
  return new URL(address).href;
}

/** Returns JSON for a script element. No text in it can end the element. */
export function json(value: unknown): Html {
  return new Html(JSON.stringify(value).replaceAll('<', '\\u003c'), here);
}

function written(value: HtmlValue): string {
  if (typeof value === 'string') return escaped(value);
  if (value instanceof Html) return value.text;
  if (typeof value === 'number') return String(value);
  if (value === null || value === undefined || value === false) return '';
  let text = '';
  for (const each of value) text += written(each);
  return text;
}

const special = /[&<>"']/;
const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  if (!special.test(text)) return text;
  return text.replaceAll(/[&<>"']/g, (found) => escapes[found] ?? '');
}
