// The row of a tournament itself: what a record says of it, over what is recorded, over the defaults.
import type { TournamentHeader } from '../facts/tournament-header.ts';
import type { TournamentRecord } from '../feed/records.ts';
import type { RowOf, tournament } from '../tables.ts';
import { textArray } from './part-rows.ts';

export function mergeHeader(
  record: TournamentRecord,
  before: TournamentHeader | undefined,
): TournamentHeader {
  const sent = <Key extends keyof TournamentHeader>(
    key: Key,
    fallback: TournamentHeader[Key],
  ): TournamentHeader[Key] => {
    const value = (record as Partial<TournamentHeader>)[key];
    return (value === undefined ? before?.[key] : value) ?? fallback;
  };
  return {
    slug: record.slug,
    published: sent('published', false),
    name: sent('name', ''),
    status: sent('status', 'planned'),
    startDate: sent('startDate', null),
    endDate: sent('endDate', null),
    description: sent('description', ''),
    city: sent('city', null),
    country: sent('country', null),
    battleSize: sent('battleSize', 0),
    battlePack: sent('battlePack', null),
    organizer: sent('organizer', null),
    tieBreaks: sent('tieBreaks', [
      'battlePoints',
      'wins',
      'victoryPointsDiff',
      'victoryPoints',
      'opponentsBattlePoints',
    ]),
    metrics: sent('metrics', []),
    standingsLabel: sent('standingsLabel', 'Final Standings'),
    placementsRecorded: sent('placementsRecorded', true),
  };
}

export const headerRow = (header: TournamentHeader): RowOf<typeof tournament> => ({
  slug: header.slug,
  published: header.published,
  name: header.name,
  status: header.status,
  start_date: header.startDate,
  end_date: header.endDate,
  description: header.description,
  city: header.city,
  country: header.country,
  battle_size: header.battleSize,
  battle_pack: header.battlePack,
  organizer: header.organizer,
  tie_breaks: textArray(header.tieBreaks),
  metrics: JSON.stringify(header.metrics.map(({ name, type }) => ({ name, type }))),
  standings_label: header.standingsLabel,
  placements_recorded: header.placementsRecorded,
});
