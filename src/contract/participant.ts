import { Type, type Static } from 'typebox';

import { ArmyList } from './army-list.ts';
import { id, nullable, nullableReference, ordinal, slug, strictObject, text } from './scalars.ts';

export const Participant = strictObject('A player who signed up for a tournament.', {
  player: text('Name as shown to people.'),
  playerId: nullable(id('Public player id. Null for guests and erased players.')),
  club: nullable(slug('Club the player plays for, by slug.')),
  group: nullable(text('Group of the player, as on the board. Null without a group stage.')),
  dropped: Type.Boolean({ description: 'Whether the player left early or did not come at all.' }),
  finalPlacement: nullable(
    ordinal(
      'Final place. Null until the tournament is over, and for old tournaments whose places were not noted.',
    ),
  ),
  list: nullableReference(ArmyList, 'Army handed in for this tournament. Null when there was none.'),
});
export type Participant = Static<typeof Participant>;
