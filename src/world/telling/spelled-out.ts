// The same facts from a platform that leaves out nothing: it writes null for missing values, and each default.
import type {
  BattleEntry,
  CasualSide,
  ParticipantEntry,
  TournamentSide,
} from '../../record/feed/tournament-records.ts';
import type { WholeTournament } from './whole-tournament.ts';

export function spelledOut(record: WholeTournament): WholeTournament {
  return {
    startDate: null,
    endDate: null,
    description: null,
    city: null,
    country: null,
    organizer: null,
    standingsLabel: null,
    placementsRecorded: true,
    metrics: [],
    groups: [],
    ...record,
    ...(record.battlePack === 'Open Field Compact' ? { battlePack: null } : {}),
    stages: record.stages.map((stage) => ({
      ...(stage.label === undefined ? { label: null } : {}),
      grouped: false,
      carriesOver: null,
      ...stage,
      members: stage.members?.map((member) => ({ seed: null, ...member })) ?? null,
    })),
    participants: record.participants.map(participant),
    byes: record.byes.map((bye) => ({ battlePoints: 0, victoryPoints: 0, victoryPointsDiff: 0, ...bye })),
    adjustments: record.adjustments.map((adjustment) => ({ reason: null, ...adjustment })),
    battles: record.battles.map(battle),
    matches: record.matches.map((match) => ({ name: null, battle: null, ...match })),
  };
}

function participant(entry: ParticipantEntry): ParticipantEntry {
  return {
    player: null,
    name: null,
    club: null,
    group: null,
    dropped: false,
    noShow: false,
    faction: null,
    list: null,
    finalPlacement: null,
    lot: null,
    ...entry,
    // The list already gives the faction. A null beside it would contradict it.
    ...(entry.list ? { faction: entry.list.faction } : {}),
  };
}

function battle(entry: BattleEntry): BattleEntry {
  return {
    date: null,
    battlePack: null,
    battleSize: null,
    table: null,
    winner: null,
    victorySize: null,
    archived: false,
    ...entry,
    sides: entry.sides.map(spelledOutSide),
  };
}

export function spelledOutSide<Side extends TournamentSide | CasualSide>(side: Side): Side {
  return {
    objectivePoints: null,
    battleTacticsScored: null,
    grandStrategy: null,
    grandStrategyScored: null,
    drops: null,
    role: null,
    list: null,
    ...side,
  };
}
