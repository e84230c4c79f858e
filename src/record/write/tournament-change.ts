// A change of one tournament. A tournament record replaces the parts that it carries; a small record sets one
// element of one part. The checks and the writer treat both in the same way.
import type {
  ByeRecord,
  MatchRecord,
  ParticipantRecord,
  RankingEntry,
  RankingRecord,
  TournamentBattleRecord,
} from '../feed/tournament-records.ts';
import type { TournamentRecord } from '../feed/records.ts';
import type { Referred } from '../recording/recording.ts';

export type TournamentChangeRecord =
  | TournamentRecord
  | ParticipantRecord
  | ByeRecord
  | MatchRecord
  | RankingRecord
  | TournamentBattleRecord;
type Parts = Pick<
  TournamentRecord,
  'groups' | 'stages' | 'participants' | 'byes' | 'adjustments' | 'battles' | 'matches'
> & {
  /**
   * A tournament record has them in its stages. They do not replace the recorded rankings of earlier rounds.
   */
  rankings?: RankingEntry[];
};

export interface TournamentChange {
  record: TournamentChangeRecord;
  slug: string;
  /**
   * The record itself if it is a tournament record: it changes the header, and its parts replace the recorded
   * ones. Undefined for a small record.
   */
  whole?: TournamentRecord;
  parts: Parts;
}

export function tournamentChange(record: TournamentChangeRecord): TournamentChange {
  switch (record.kind) {
    case 'tournament':
      return { record, slug: record.slug, whole: record, parts: { ...record, rankings: rankingsIn(record) } };
    case 'participant':
      return { record, slug: record.tournament, parts: { participants: [record] } };
    case 'bye':
      return { record, slug: record.tournament, parts: { byes: [record] } };
    case 'match':
      return { record, slug: record.tournament, parts: { matches: [record] } };
    case 'ranking':
      return { record, slug: record.tournament, parts: { rankings: [record] } };
    default:
      return { record, slug: record.tournament, parts: { battles: [record] } };
  }
}

const rankingsIn = ({ stages = [] }: TournamentRecord): RankingEntry[] =>
  stages.flatMap(({ id, ranking }) => (ranking ? { stage: id, ...ranking } : []));

/** Returns the path to an element: `battles[3].` in a tournament record, empty in a small record. */
export const elementPath = (change: TournamentChange, part: string, index: number): string =>
  change.whole ? `${part}[${index}].` : '';

export const rankingPath = ({ whole }: TournamentChange, stage: string): string =>
  whole ? `stages[${whole.stages?.findIndex(({ id }) => id === stage)}].ranking.` : '';

/**
 * Returns what identifies the element of a small record in its tournament. The key of its row has the same
 * order.
 */
export function elementKey({ record }: TournamentChange): string {
  switch (record.kind) {
    case 'bye':
      return `${record.stage} ${record.round} ${record.participant}`;
    case 'match':
      return `${record.stage} ${record.round} ${record.position}`;
    case 'ranking':
      return `${record.stage} ${record.afterRound}`;
    case 'tournament':
      return '';
    default:
      return record.id;
  }
}

export function collectReferred(changes: TournamentChange[]): Referred {
  const referred: Referred = { players: new Set(), clubs: new Set(), packs: new Set() };
  for (const { whole, parts } of changes) {
    for (const id of whole?.tournamentOrganizers ?? []) referred.players.add(id);
    if (whole?.organizer) referred.clubs.add(whole.organizer);
    if (whole?.battlePack) referred.packs.add(whole.battlePack);
    for (const { player, club } of parts.participants ?? []) {
      if (player) referred.players.add(player);
      if (club) referred.clubs.add(club);
    }
    for (const { battlePack } of parts.battles ?? []) if (battlePack) referred.packs.add(battlePack);
  }
  return referred;
}
