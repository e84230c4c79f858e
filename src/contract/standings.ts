import { Type, type Static } from 'typebox';

import { count, id, nullable, ordinal, points, strictObject, text } from './scalars.ts';

export const BoardRow = strictObject('One row of a ranked table.', {
  rank: nullable(
    ordinal(
      'Rank on this board, or within the group on a board with groups. Null before a result counts, for a no-show, and when the ranking of the organiser leaves the player out.',
    ),
  ),
  group: Type.Optional(text('Group of the player. Absent on boards without groups.')),
  player: nullable(text('Display name. Null when the player has been erased.')),
  playerId: nullable(id('Public player id. Null for guests and erased players.')),
  faction: nullable(text('Faction the player brought. Null when it is not known.')),
  battlePoints: points("Battle points so far, according to the tournament's scoring."),
  wins: count('Battles won.'),
  draws: count('Battles drawn.'),
  losses: count('Battles lost.'),
  victoryPoints: points('Victory points from all battles added up.'),
  victoryPointsDiff: points("The player's victory points minus those of the opponents. May be negative."),
});
export type BoardRow = Static<typeof BoardRow>;

export const BracketMatch = strictObject('One pairing of a bracket.', {
  round: text('Name of this round of the bracket, for example `Semi-final`.'),
  table: Type.Integer({ description: 'Number of the table.' }),
  players: Type.Array(Type.String(), {
    description: 'Names of both players. Empty until earlier matches have decided who they are.',
    maxItems: 2,
  }),
  winner: nullable(text('Name of the player who advanced. Null before the match is decided.')),
  battle: nullable(
    id('Id of the battle, for the battle endpoint. Null for a walkover, and until the battle is recorded.'),
  ),
});
export type BracketMatch = Static<typeof BracketMatch>;

// `stage.type` decides the type of the rows, so each kind of stage has its own shape.
export const BoardStage = strictObject('The board that is shown.', {
  id: text('Id of the stage.'),
  name: text('Label of the stage.'),
  type: Type.Literal('board', { description: 'Says that `data` contains the rows of a board.' }),
});
export type BoardStage = Static<typeof BoardStage>;

export const BracketStage = strictObject('The bracket that is shown.', {
  id: text('Id of the stage.'),
  name: text('Label of the stage.'),
  type: Type.Literal('bracket', { description: 'Says that `data` contains the matches of a bracket.' }),
});
export type BracketStage = Static<typeof BracketStage>;

export const BoardStandings = strictObject('A whole board.', {
  stage: BoardStage,
  data: Type.Array(BoardRow, { description: 'Best first. On a board with groups, one group after another.' }),
});
export type BoardStandings = Static<typeof BoardStandings>;

export const BracketStandings = strictObject('A whole bracket.', {
  stage: BracketStage,
  data: Type.Array(BracketMatch, { description: 'Earliest round first.' }),
});
export type BracketStandings = Static<typeof BracketStandings>;

export const Standings = Type.Union([BoardStandings, BracketStandings], {
  description: 'All standings of one stage. `stage.type` tells what `data` holds.',
});
export type Standings = Static<typeof Standings>;
