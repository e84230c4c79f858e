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

export const PlayerRound = strictObject('What one player did in one round of a game.', {
  round: Type.Integer({ description: 'Which round of the game.' }),
  victoryPoints: points('Victory points of this round.'),
  objectivePoints: points('Part of them that came from objectives.'),
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
  outcome: nullable(oneOf(outcomes, 'How it ended for this player. Null until the game is over.')),
  battlePoints: nullable(points('Battle points this game was worth to the player.')),
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
  drops: nullable(count('In how many drops the army was deployed. Null when nobody noted it.')),
  role: nullable(oneOf(roles, 'Side of the scenario the player took. Null when sides were not noted.')),
  // Not Type.Record: it writes a pattern of names, and names with a line break would slip through it unchecked.
  metrics: Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'number' },
    description:
      'Whatever else the organiser keeps count of, under the name the organiser gave it: sums of numbers, and how ' +
      'often a yes was given. Empty when there is nothing of the kind.',
  }),
};

export const BattlePlayer = strictObject('One side of a game, as lists of battles show it.', sideOfABattle);
export type BattlePlayer = Static<typeof BattlePlayer>;

export const BattlePlayerDetail = strictObject('One side of a game, with army and rounds.', {
  ...sideOfABattle,
  list: nullableReference(ArmyList, 'Army the player used. Null when it is not on record.'),
  rounds: Type.Array(PlayerRound, {
    description: 'The game round by round. Empty when rounds were not noted.',
  }),
});
export type BattlePlayerDetail = Static<typeof BattlePlayerDetail>;

export const Battle = battleBetween(BattlePlayer, 'A game between two players, as lists show it.');
export type Battle = Static<typeof Battle>;

export const BattleDetail = battleBetween(BattlePlayerDetail, 'A game between two players, in full.');
export type BattleDetail = Static<typeof BattleDetail>;

function battleBetween<Side extends typeof BattlePlayer | typeof BattlePlayerDetail>(
  side: Side,
  description: string,
) {
  return strictObject(description, {
    id: id('Id of the game; stands for `{id}` in the battle path.'),
    date: nullable(date('Day of the game, by the calendar of the place. Null when unknown.')),
    tournament: nullable(slug('Tournament it belongs to, by slug. Null for a casual game.')),
    stage: nullable(text('Stage of that tournament, by id. Null for a casual game.')),
    round: nullable(ordinal('Round within the stage. Null for a casual game.')),
    scenario: nullable(text('Scenario on the table.')),
    battlePack: nullable(text('Battle pack it was played by.')),
    battleSize: points('How many points an army may be worth.'),
    winner: nullable(text('Name of the player who won. Null after a draw, and until there is a result.')),
    victorySize: nullable(
      oneOf(victorySizes, 'By how much it was won. Null when nobody won, or nobody noted it.'),
    ),
    players: Type.Array(side, { description: 'Both sides.', minItems: 2, maxItems: 2 }),
    url: link('Page of the game on the website.'),
  });
}
