import type { Row, Statement } from '../read/reader.ts';

export type MovedRow = Row & { target: string | null };

/** $1 is the kind of thing, $2 its old name. The last name, only while a thing of that name is shown. */
export const movedThing: Statement = {
  name: 'site_moved',
  text: 'select 0 as revision, published.moved_to($1, $2) as target',
};
