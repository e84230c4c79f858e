import type { Row, Statement } from '../../read/reader.ts';

// These statements read everything of one tournament, in the order of the API. If a list is empty, the only
// row has null for the document.

export interface FileRow extends Row {
  document: string | null;
  /** The number of the table. Only rows of battles have it. */
  table?: number | null;
}

export const standingsOfFile: Statement = {
  name: 'site_standings_file',
  text: `
    select tournament.revision, standings.document
    from published.tournament
    join published.standings on standings.tournament = slug and standings.stage = coalesce($2, default_stage)
    where slug = $1`,
};

export const participantsOfFile: Statement = {
  name: 'site_participants_file',
  text: `
    select tournament.revision, rows.document
    from published.tournament
    left join lateral (
      select document from published.participant where tournament = slug order by sort_key, id
    ) rows on true
    where slug = $1`,
};

export const battlesOfFile: Statement = {
  name: 'site_battles_file',
  text: `
    select tournament.revision, rows.document, rows."table"
    from published.tournament
    left join lateral (
      select document, table_number as "table"
      from published.battle
      where battle.tournament = slug
      order by date desc, stage_order desc, round desc, id desc
    ) rows on true
    where slug = $1`,
};
