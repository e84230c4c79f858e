import { Type, type Static } from 'typebox';

import { count, id, nullable, ordinal, points, strictObject, text } from './scalars.ts';

export const BoardRow = strictObject('One line of a ranked table.', {
  rank: nullable(
    ordinal(
      'Place on this board, or within the group on a grouped one. Null before anything counts, and for no-shows.',
    ),
  ),
  group: Type.Optional(text('Group the player is in. Only boards of a group stage carry it.')),
  player: nullable(text('Name as shown to people. Null when the player asked to be erased.')),
  playerId: nullable(id('Public player id. Null for guests and erased players.')),
  faction: nullable(text('Faction the player brought.')),
  battlePoints: points('Battle points so far, under the scoring of this tournament.'),
  wins: count('Games won.'),
  draws: count('Games drawn.'),
  losses: count('Games lost.'),
  victoryPoints: points('Victory points of all games added up.'),
  victoryPointsDiff: points('Own victory points less those of the opponents. May be negative.'),
});
export type BoardRow = Static<typeof BoardRow>;

export const BracketMatch = strictObject('One pairing of a bracket.', {
  round: text('What this round of the bracket is called, for example `Semi-final`.'),
  table: Type.Integer({ description: 'Table it is played at.' }),
  players: Type.Array(Type.String(), {
    description: 'Names of both players. Empty as long as an earlier match has to decide who they are.',
    maxItems: 2,
    not: { type: 'array', minItems: 1, maxItems: 1 },
  }),
  winner: nullable(text('Name of the one who advanced. Null before the match is decided.')),
  battle: nullable(
    id('Id of the game that was played, for the battle endpoint. Null when there is none on record.'),
  ),
});
export type BracketMatch = Static<typeof BracketMatch>;

// The type of the stage decides what the rows are, so each kind of stage has its own shape instead of one shape
// with two kinds of rows: a caller who checks `stage.type` has the rows typed.
export const BoardStage = strictObject('The board that is shown.', {
  id: text('Id of the stage.'),
  name: text('Label of the stage.'),
  type: Type.Literal('board', { description: 'Says that the rows are those of a board.' }),
});
export type BoardStage = Static<typeof BoardStage>;

export const BracketStage = strictObject('The bracket that is shown.', {
  id: text('Id of the stage.'),
  name: text('Label of the stage.'),
  type: Type.Literal('bracket', { description: 'Says that the rows are matches of a bracket.' }),
});
export type BracketStage = Static<typeof BracketStage>;

export const BoardStandings = strictObject('A whole board.', {
  stage: BoardStage,
  data: Type.Array(BoardRow, { description: 'Best first; on a grouped board, group after group.' }),
});
export type BoardStandings = Static<typeof BoardStandings>;

export const BracketStandings = strictObject('A whole bracket.', {
  stage: BracketStage,
  data: Type.Array(BracketMatch, { description: 'First round first.' }),
});
export type BracketStandings = Static<typeof BracketStandings>;

export const Standings = Type.Union([BoardStandings, BracketStandings], {
  description: 'Standings of one stage, complete. What `data` holds follows from `stage.type`.',
});
export type Standings = Static<typeof Standings>;
