import type { Row, Statement } from './reader.ts';

// As in the lists, aggregates take their input in the order of the subquery, so none of them may have an
// order of its own. Keys are slugs and ids, which need no escapes in JSON.

/**
 * $1 is the number of rows, $2 the revisions that the caller has, $3 the sequence number after which the page
 * begins, or null.
 */
export const changes: Statement = {
  name: 'changes',
  text: `
    select list.revision, list.epoch, list.last, list.floor, page.*
    from published.change_list list
    left join lateral (
      select string_agg(document, e'\\n') as documents, count(*) = $1::int as "isFull",
        (array_agg(sequence))[least(count(*)::int, $1::int - 1)] as "sequenceNumber"
      from (
        select sequence, '{"kind":"' || kind || '","key":"' || key || case when gone then '","change":"gone"' else '","change":"changed"' end
          || ',"revision":' || revision || ',"tournament":' || coalesce('"' || tournament || '"', 'null')
          || ',"at":"' || to_char(since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"}' as document
        from published.change
        where sequence > $3::bigint and list.revision <> all ($2::bigint[])
        order by sequence
        limit $1
      ) listed
    ) page on true`,
};

export interface ChangesRow extends Row {
  epoch: string;
  /** The last sequence number that was assigned. */
  last: string;
  /** The highest sequence number whose row was deleted. */
  floor: string;
  /** The changes, one per line. Null if there are none. */
  documents: string | null;
  /** True if there are as many rows as were asked for. The last one is then not shown. */
  isFull: boolean;
  /** The sequence number of the last row shown. */
  sequenceNumber: string | null;
}
