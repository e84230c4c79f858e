import type { ClientBase } from 'pg';

let cursors = 0;

/**
 * Yields the rows of a query in portions of `atOnce`, so that memory does not grow with their number. Call it
 * in a transaction.
 */
export async function* fetchRows<Row extends object>(
  client: ClientBase,
  text: string,
  values: unknown[],
  atOnce: number,
): AsyncGenerator<Row[]> {
  const cursor = `fetched_${(cursors += 1)}`;
  await client.query({ text: `declare ${cursor} no scroll cursor for ${text}`, values });
  for (;;) {
    const { rows } = await client.query<Row>(`fetch ${atOnce} from ${cursor}`);
    if (rows.length > 0) yield rows;
    if (rows.length < atOnce) break;
  }
  await client.query(`close ${cursor}`);
}
