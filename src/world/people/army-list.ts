// Writes an army list as people paste it: a header, units with their points, a footer.
import type { ArmyListEntry } from '../../record/feed/tournament-records.ts';
import { type Faction, tactics } from './lore.ts';
import { at, type Random } from '../chance/random.ts';

// The costs of a leader, a core unit, a fast unit and a large unit.
const costs = [160, 110, 130, 280];
const upgrades = ['General', 'Reinforced', 'Standard bearer', 'Relic: the Cracked Bell', 'Champion'];

export function inventArmyList(
  random: Random,
  army: Faction,
  formation: string,
  battleSize: number,
): ArmyListEntry {
  const lines = [`Faction: ${army.name}`, `Formation: ${formation}`, ''];
  let points = 0;
  for (;;) {
    const kind = random.below(army.units.length);
    const cost = at(costs, kind);
    if (points + cost > battleSize) break;
    points += cost;
    lines.push(`${at(army.units, kind)} (${cost})`);
    if (random.chance(0.3)) lines.push(`  · ${random.pick(upgrades)}`);
  }
  lines.push('', `Total: ${points}/${battleSize}`);
  const cards = random.chance(0.8) ? [random.pick(tactics), random.pick(tactics)] : [];
  return {
    faction: army.name,
    subFaction: random.chance(0.95) ? formation : '',
    points,
    battleTacticCards: [...new Set(cards)],
    text: lines.join('\n'),
  };
}
