import { html } from '../html.ts';

/** The attribute of the link to what is currently shown. */
export const isCurrent = html` aria-current="page"`;
