import { Type, type Static } from 'typebox';

import { ArmyList } from './army-list.ts';
import {
  count,
  date,
  id,
  link,
  nullable,
  nullableReference,
  oneOf,
  ordinal,
  points,
  slug,
  strictObject,
  text,
} from './scalars.ts';

export const victorySizes = ['major', 'minor'] as const;
export const outcomes = ['win', 'loss', 'draw'] as const;
export const roles = ['attacker', 'defender'] as const;

export const PlayerRound = strictObject('One player in one round of a battle.', {
  round: Type.Integer({ description: 'Which round of the battle.' }),
  victoryPoints: points('Victory points of this round.'),
  objectivePoints: points('The part of the victory points that came from objectives.'),
  objectives: Type.Array(Type.String(), { description: 'Objectives scored, by name.' }),
  battleTactic: text('Battle tactic attempted. Empty when there was none.'),
  battleTacticScored: Type.Boolean({ description: 'Whether that battle tactic worked.' }),
  priority: Type.Boolean({ description: 'Whether the player had priority in this round.' }),
});
export type PlayerRound = Static<typeof PlayerRound>;

const sideOfABattle = {
  player: text('Name as shown to people.'),
  playerId: nullable(id('Public player id. Null for guests and erased players.')),
  faction: nullable(text('Faction the player brought.')),
  subFaction: nullable(text('Battle formation within the faction.')),
  outcome: nullable(oneOf(outcomes, 'How the battle ended for this player. Null until it is over.')),
  battlePoints: nullable(points('Battle points the player got for this battle.')),
  victoryPoints: nullable(points('Victory points of all rounds together.')),
  objectivePoints: Type.Optional(
    points('Points from objectives. Absent when the battle pack does not score them.'),
  ),
  battleTacticsScored: Type.Optional(
    count('How many battle tactics worked. Absent when the battle pack has none.'),
  ),
  grandStrategy: Type.Optional(
    nullable(
      text('Grand strategy chosen. Absent when the battle pack has none; null when none is on record.'),
    ),
  ),
  grandStrategyScored: Type.Optional(
    Type.Boolean({ description: 'Whether the grand strategy worked. Absent when the battle pack has none.' }),
  ),
  drops: nullable(count('Number of drops the army was deployed in. Null when it was not noted.')),
  role: nullable(oneOf(roles, 'Side of the scenario the player took. Null when sides were not noted.')),
  // Type.Record would write a pattern for the names. A name with a line break does not match that pattern, so
  // its value would go unchecked.
  metrics: Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'number' },
    description:
      'Further values that the organiser counts, under the names the organiser gave them. A number is summed, a yes ' +
      'is counted. Empty when the organiser counts nothing else.',
  }),
};

export const BattlePlayer = strictObject('One side of a battle, as lists of battles show it.', sideOfABattle);
export type BattlePlayer = Static<typeof BattlePlayer>;

export const BattlePlayerDetail = strictObject('One side of a battle, with army and rounds.', {
  ...sideOfABattle,
  list: nullableReference(ArmyList, 'Army the player used. Null when it is not on record.'),
  rounds: Type.Array(PlayerRound, {
    description: 'The battle round by round. Empty when rounds were not noted.',
  }),
});
export type BattlePlayerDetail = Static<typeof BattlePlayerDetail>;

export const Battle = battleBetween(BattlePlayer, 'A battle between two players, as lists show it.');
export type Battle = Static<typeof Battle>;

export const BattleDetail = battleBetween(BattlePlayerDetail, 'A battle between two players, in full.');
export type BattleDetail = Static<typeof BattleDetail>;

function battleBetween<Side extends typeof BattlePlayer | typeof BattlePlayerDetail>(
  side: Side,
  description: string,
) {
  return strictObject(description, {
    id: id('Id of the battle: the `{id}` in the battle path.'),
    date: nullable(date('Day of the battle, by the calendar of the place. Null when unknown.')),
    tournament: nullable(slug('Tournament of the battle, by slug. Null for a casual battle.')),
    stage: nullable(text('Stage of that tournament, by id. Null for a casual battle.')),
    round: nullable(ordinal('Round within the stage. Null for a casual battle.')),
    scenario: nullable(text('Scenario on the table.')),
    battlePack: nullable(text('Battle pack the battle was played with.')),
    battleSize: points('How many points an army may have at most.'),
    winner: nullable(text('Name of the player who won. Null after a draw, and until there is a result.')),
    victorySize: nullable(
      oneOf(
        victorySizes,
        'How clear the win was. Null when there is no winner, or when the size was not noted.',
      ),
    ),
    players: Type.Array(side, { description: 'Both sides.', minItems: 2, maxItems: 2 }),
    url: link('Page of the battle on the website.'),
  });
}
