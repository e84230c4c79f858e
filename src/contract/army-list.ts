import { Type, type Static } from 'typebox';

import { points, strictObject, text } from './scalars.ts';

export const ArmyList = strictObject('An army list as it was submitted.', {
  faction: text('Faction of the army.'),
  subFaction: text('Battle formation within the faction. Empty when the army has none.'),
  points: points('Total points of the army.'),
  battleTacticCards: Type.Array(Type.String(), { description: 'Battle tactic cards chosen, by name.' }),
  text: text('The complete list as written, line breaks included.'),
});
export type ArmyList = Static<typeof ArmyList>;
