import { html } from '../html.ts';

/** Of the link to what is shown. */
export const isCurrent = html` aria-current="page"`;
