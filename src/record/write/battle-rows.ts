// Makes rows from battles of the feed. Tournament battles and casual battles have the same defaults.
import type { ColumnValue, TableRow } from '../../database/row.ts';
import type {
  BattleEntry,
  CasualBattleRecord,
  CasualSide,
  RoundEntry,
  TournamentSide,
} from '../feed/tournament-records.ts';
import type { RoundCells, SideColumn, TournamentRow } from '../tables.ts';

type Slot = TableRow<'tournament_id' | 'stage' | 'round' | 'table_number' | 'club'>;
type SidePerson = TableRow<'participant' | 'player' | 'name' | 'club'>;
type Side = TableRow<Exclude<SideColumn, keyof SidePerson>>;

export const battleRow = (tournamentId: number, entry: BattleEntry): TournamentRow<'battles'> =>
  rowOf(
    entry,
    {
      tournament_id: tournamentId,
      stage: entry.stage,
      round: entry.round,
      table_number: entry.table ?? null,
      club: null,
    },
    entry.sides.map(({ participant }) => ({ participant, player: null, name: null, club: null })),
  );

export const casualBattleRow = (entry: CasualBattleRecord): TournamentRow<'battles'> =>
  rowOf(
    entry,
    { tournament_id: null, stage: null, round: null, table_number: null, club: entry.club ?? null },
    entry.sides.map(({ player = null, name = null, erased, club = null }) => ({
      participant: null,
      player,
      name: erased ? '' : name,
      club,
    })),
  );

/**
 * Writes out every column, because making the row from two prefixed objects took two to three times as long.
 */
function rowOf(
  entry: BattleEntry | CasualBattleRecord,
  slot: Slot,
  people: SidePerson[],
): TournamentRow<'battles'> {
  // check-battle.ts refuses a battle that does not have exactly two sides.
  const [firstPerson, secondPerson] = people as [SidePerson, SidePerson];
  const [first, second] = entry.sides.map(sideOf) as [Side, Side];
  return {
    tournament_id: slot.tournament_id,
    id: entry.id,
    stage: slot.stage,
    round: slot.round,
    table_number: slot.table_number,
    date: entry.date ?? null,
    scenario: entry.scenario ?? null,
    battle_pack: entry.battlePack ?? null,
    battle_size: entry.battleSize ?? null,
    club: slot.club,
    finished: entry.finished ?? false,
    winner: winnerOf(entry, people),
    victory_size: entry.victorySize ?? null,
    archived: entry.archived ?? false,
    first_participant: firstPerson.participant,
    first_player: firstPerson.player,
    first_name: firstPerson.name,
    first_club: firstPerson.club,
    first_faction: first.faction,
    first_sub_faction: first.sub_faction,
    first_battle_points: first.battle_points,
    first_victory_points: first.victory_points,
    first_objective_points: first.objective_points,
    first_battle_tactics_scored: first.battle_tactics_scored,
    first_grand_strategy: first.grand_strategy,
    first_grand_strategy_scored: first.grand_strategy_scored,
    first_drops: first.drops,
    first_role: first.role,
    first_metrics: first.metrics,
    first_list: first.list,
    first_rounds: first.rounds,
    second_participant: secondPerson.participant,
    second_player: secondPerson.player,
    second_name: secondPerson.name,
    second_club: secondPerson.club,
    second_faction: second.faction,
    second_sub_faction: second.sub_faction,
    second_battle_points: second.battle_points,
    second_victory_points: second.victory_points,
    second_objective_points: second.objective_points,
    second_battle_tactics_scored: second.battle_tactics_scored,
    second_grand_strategy: second.grand_strategy,
    second_grand_strategy_scored: second.grand_strategy_scored,
    second_drops: second.drops,
    second_role: second.role,
    second_metrics: second.metrics,
    second_list: second.list,
    second_rounds: second.rounds,
  };
}

function winnerOf({ winner }: BattleEntry | CasualBattleRecord, people: SidePerson[]): number | null {
  if (typeof winner === 'number') return winner;
  return winner ? people.map(idOf).indexOf(winner) + 1 : null;
}

const idOf = ({ participant, player, name }: SidePerson): ColumnValue => participant ?? player ?? name;

const sideOf = (side: TournamentSide | CasualSide): Side => ({
  faction: side.faction ?? side.list?.faction ?? null,
  sub_faction: side.subFaction ?? null,
  battle_points: side.battlePoints ?? null,
  victory_points: side.victoryPoints ?? null,
  objective_points: side.objectivePoints ?? null,
  battle_tactics_scored: side.battleTacticsScored ?? null,
  grand_strategy: side.grandStrategy ?? null,
  grand_strategy_scored: side.grandStrategyScored ?? null,
  drops: side.drops ?? null,
  role: side.role ?? null,
  metrics: filled(side.metrics) ? JSON.stringify(side.metrics) : null,
  list: side.list ? JSON.stringify({ ...side.list, faction: undefined }) : null,
  rounds:
    side.rounds && side.rounds.length > 0
      ? JSON.stringify(side.rounds.toSorted(byNumber).map(roundCells))
      : null,
});

const byNumber = (a: RoundEntry, b: RoundEntry): number => a.round - b.round;

/** Returns a round as a tuple. read-battles.ts adds the names of the members again. */
function roundCells(entry: RoundEntry): RoundCells {
  const cells: RoundCells = [
    entry.round,
    entry.victoryPoints ?? 0,
    entry.objectivePoints ?? 0,
    entry.objectives ?? [],
    entry.battleTactic ?? '',
    entry.battleTacticScored ?? false,
    entry.priority ?? false,
  ];
  if (filled(entry.metrics)) cells.push(entry.metrics);
  return cells;
}

function filled(metrics: object | undefined): boolean {
  for (const _ in metrics) return true;
  return false;
}
