import { Type, type Static } from 'typebox';

import { ArmyList } from './army-list.ts';
import { id, nullable, nullableReference, ordinal, slug, strictObject, text } from './scalars.ts';

export const Participant = strictObject('A player who signed up for a tournament.', {
  player: text('Display name.'),
  playerId: nullable(id('Public player id. Null for guests and erased players.')),
  club: nullable(slug('Slug of the club that the player represents. Null when there is none.')),
  group: nullable(text('Group of the player, as on the board. Null without a group stage.')),
  dropped: Type.Boolean({ description: 'Whether the player dropped out or never turned up.' }),
  finalPlacement: nullable(
    ordinal(
      'Final placement. Null until the tournament is over, for a no-show, and when placements were not recorded.',
    ),
  ),
  list: nullableReference(
    ArmyList,
    'Army list submitted for this tournament. Null when none was submitted, or when it was erased.',
  ),
});
export type Participant = Static<typeof Participant>;
