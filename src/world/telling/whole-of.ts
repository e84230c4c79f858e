// Folds a series of feed records for one tournament: arrays in a tournament record replace the part, small
// records replace one element, and `remove` deletes one. An ongoing event is the whole of its series up to
// now.
import type {
  BattleEntry,
  ByeEntry,
  MatchEntry,
  ParticipantEntry,
} from '../../record/feed/tournament-records.ts';
import type { FeedRecord, TournamentRecord } from '../../record/feed/records.ts';
import type { WholeTournament } from '../event/whole-tournament.ts';

export function wholeOf(records: Iterable<FeedRecord>): WholeTournament {
  let head: TournamentRecord | undefined;
  const participants = new Map<string, ParticipantEntry>();
  const battles = new Map<string, BattleEntry>();
  const byes = new Map<string, ByeEntry>();
  const matches = new Map<string, MatchEntry>();
  for (const record of records) {
    if (record.kind === 'tournament') {
      head = Object.assign(head ?? { kind: 'tournament', slug: record.slug }, record);
      replace(participants, record.participants, (entry) => entry.id);
      replace(battles, record.battles, (entry) => entry.id);
      replace(byes, record.byes, byeKey);
      replace(matches, record.matches, matchKey);
    } else if (record.kind === 'participant') {
      const { kind: _k, tournament: _t, ...entry } = record;
      participants.set(entry.id, entry);
    } else if (record.kind === 'battle' && 'tournament' in record) {
      const { kind: _k, tournament: _t, ...entry } = record;
      battles.set(entry.id, entry);
    } else if (record.kind === 'bye') {
      const { kind: _k, tournament: _t, ...entry } = record;
      byes.set(byeKey(entry), entry);
    } else if (record.kind === 'match') {
      const { kind: _k, tournament: _t, ...entry } = record;
      matches.set(matchKey(entry), entry);
    } else if (record.kind === 'remove') {
      if (record.of === 'participant') participants.delete(record.id);
      else if (record.of === 'battle') battles.delete(record.id);
      else if (record.of === 'bye') byes.delete(byeKey(record));
      else if (record.of === 'match') matches.delete(matchKey(record));
    }
  }
  if (!head) throw new Error('a series without a tournament');
  return {
    ...head,
    stages: head.stages ?? [],
    participants: [...participants.values()],
    byes: [...byes.values()],
    adjustments: head.adjustments ?? [],
    battles: [...battles.values()],
    matches: [...matches.values()],
  };
}

function replace<T>(map: Map<string, T>, entries: readonly T[] | undefined, key: (entry: T) => string): void {
  if (!entries) return;
  map.clear();
  for (const entry of entries) map.set(key(entry), entry);
}

type ByeKey = Pick<ByeEntry, 'stage' | 'round' | 'participant'>;
const byeKey = ({ stage, round, participant }: ByeKey) => `${stage} ${round} ${participant}`;
type MatchKey = Pick<MatchEntry, 'stage' | 'round' | 'position'>;
const matchKey = ({ stage, round, position }: MatchKey) => `${stage} ${round} ${position}`;
