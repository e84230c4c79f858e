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
  round: Type.Integer({ description: 'Number of the round within the battle.' }),
  victoryPoints: points('Victory points scored in this round.'),
  objectivePoints: points('The part of the victory points that came from objectives.'),
  objectives: Type.Array(Type.String(), { description: 'Objectives scored, by name.' }),
  battleTactic: text('Battle tactic attempted. Empty when there was none.'),
  battleTacticScored: Type.Boolean({ description: 'Whether that battle tactic worked.' }),
  priority: Type.Boolean({ description: 'Whether the player had priority in this round.' }),
});
export type PlayerRound = Static<typeof PlayerRound>;

const sideOfABattle = {
  player: text('Display name.'),
  playerId: nullable(id('Public player id. Null for guests and erased players.')),
  faction: nullable(text('Faction the player brought. Null when it is not known.')),
  subFaction: nullable(
    text(
      'Battle formation within the faction. Null when there is no list and none was sent. Empty when the list names none.',
    ),
  ),
  outcome: nullable(oneOf(outcomes, 'How the battle ended for this player. Null until it is over.')),
  battlePoints: nullable(
    points('Battle points that the player earned in this battle. Null until they are recorded.'),
  ),
  victoryPoints: nullable(points('Victory points from all rounds together. Null until they are recorded.')),
  objectivePoints: Type.Optional(
    points('Points from objectives. Absent when the battle pack does not score them.'),
  ),
  battleTacticsScored: Type.Optional(
    count('How many battle tactics worked. Absent when the battle pack does not score them.'),
  ),
  grandStrategy: Type.Optional(
    nullable(
      text(
        'Grand strategy chosen. Absent when the battle pack does not score them. Null when none is recorded.',
      ),
    ),
  ),
  grandStrategyScored: Type.Optional(
    Type.Boolean({
      description: 'Whether the grand strategy worked. Absent when the battle pack does not score them.',
    }),
  ),
  drops: nullable(count('Number of drops in which the army was deployed. Null when it was not recorded.')),
  role: nullable(oneOf(roles, 'Side that the player took in the scenario. Null when it was not recorded.')),
  // Type.Record would write a pattern for the names. A name with a line break does not match that pattern, so
  // its value would go unchecked.
  metrics: Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'number' },
    description:
      "Further values that the organiser tracks, under the organiser's names for them. Numbers are added up, and yes " +
      'answers are counted. Empty when the organiser tracks nothing else.',
  }),
};

export const BattlePlayer = strictObject('One side of a battle, as lists of battles show it.', sideOfABattle);
export type BattlePlayer = Static<typeof BattlePlayer>;

export const BattlePlayerDetail = strictObject('One side of a battle, with the army list and the rounds.', {
  ...sideOfABattle,
  list: nullableReference(
    ArmyList,
    'Army list that the player used. Null when it was not recorded, or when it was erased.',
  ),
  rounds: Type.Array(PlayerRound, {
    description: 'The battle round by round. Empty when the rounds were not recorded.',
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
    id: id('Id of the battle, used as `{id}` in the path of a battle.'),
    date: nullable(date('Day of the battle, as a local date. Null when it is not known.')),
    tournament: nullable(slug('Slug of the tournament. Null for a casual battle.')),
    stage: nullable(text('Id of the stage of that tournament. Null for a casual battle.')),
    round: nullable(ordinal('Round within the stage. Null for a casual battle.')),
    scenario: nullable(text('Scenario that was played. Null when there is none, or when it is not known.')),
    battlePack: nullable(
      text('Battle pack the battle was played with. Null when there is none, or when it is not known.'),
    ),
    battleSize: points('Maximum number of points per army.'),
    winner: nullable(text('Name of the player who won. Null after a draw, and until there is a result.')),
    victorySize: nullable(
      oneOf(
        victorySizes,
        'How clear the win was. Null when there is no winner, or when the size was not recorded.',
      ),
    ),
    players: Type.Array(side, { description: 'Both sides.', minItems: 2, maxItems: 2 }),
    url: link('Page of the battle on the website.'),
  });
}
