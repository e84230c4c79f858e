import { Type, type Static } from 'typebox';

import { points, strictObject, text } from './scalars.ts';

export const ArmyList = strictObject('An army as it was handed in.', {
  faction: text('Faction of the army.'),
  subFaction: text('Battle formation within the faction. Empty when it has none.'),
  points: points('Points of the army.'),
  battleTacticCards: Type.Array(Type.String(), { description: 'Battle tactic cards chosen, by name.' }),
  text: text('The complete list as written, line breaks included.'),
});
export type ArmyList = Static<typeof ArmyList>;
