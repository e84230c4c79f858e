import { type Check, fault, type Finding, note } from '../finding.ts';

/** Marks that no publisher has drained. Those with a reason belong to things that cannot be published. */
export const marks: Check = async ({ pool }) => {
  const { rows } = await pool.query<{ rebuild: boolean; marks: string; since: string }>(`
    select rebuild, count(*) as marks,
      to_char(min(marked_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since
    from record.stale where reason is null group by rebuild having min(marked_at) < now() - interval '1 minute'`);
  return rows.map(({ rebuild, marks: count, since }): Finding =>
    rebuild
      ? note(
          `A rebuild is not finished: ${count} marks are left, the oldest since ${since}. If no publisher runs, run \`wartable publish\`.`,
        )
      : fault(
          `Changes are recorded and not published: ${count} marks are left, the oldest since ${since}. Run \`wartable publish\`.`,
        ),
  );
};
