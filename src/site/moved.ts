import type { Row, Statement } from '../read/reader.ts';

export type MovedRow = Row & { target: string | null };

/**
 * Returns the current slug or id of a renamed thing, but only while the thing is published under it. $1 is
 * the kind of the thing, $2 its old slug or id.
 */
export const movedThing: Statement = {
  name: 'site_moved',
  text: 'select 0 as revision, published.moved_to($1, $2) as target',
};
