// Battles outside tournaments: two people of a community play at the club or at home. Records vary in detail.
import type { CasualBattleRecord, CasualSide, MetricEntry } from '../record/feed/tournament-records.ts';
import { inventArmyList } from './people/army-list.ts';
import { fight } from './event/battle.ts';
import { sideScore } from './event/battle-entry.ts';
import { circuitOf, inventClub, type Community, inventPlayer } from './people/community.ts';
import { dateOf } from './dates.ts';
import { anyFaction, anyPack, factions, scenarios, strengths } from './people/lore.ts';
import { personName } from './people/people.ts';
import { at, type Random, stream } from './chance/random.ts';
import { habitsFor } from './event/setup.ts';

export function inventCasualBattle(community: Community, index: number, day: number): CasualBattleRecord {
  const random = stream(community.seed, 'casual', community.number, index);
  const pack = random.chance(0.8) ? anyPack(random) : undefined;
  const first = random.below(community.players);
  const second = (first + 1 + random.below(community.players - 1)) % community.players;
  const people = [someone(random, community, first), someone(random, community, second)] as const;
  // At most one guest, because the record names the winner, and two guests might have the same name.
  const guest = random.chance(0.12) ? personName(random, circuitOf(community).languages) : undefined;
  const rules = pack ?? anyPack(random);
  const fought = fight(random, people[0], people[1], rules, random.pick(rules.scorings));
  const finished = !random.chance(0.02);
  const habits = habitsFor(random);
  const scored = random.chance(0.2);
  const battleSize = random.pick([2000, 1000, 750]);
  const metrics: MetricEntry[] = random.chance(0.04) ? [{ name: 'Units lost', type: 'number' }] : [];
  const side = (which: 0 | 1): CasualSide => {
    const { id, army, formation, home } = people[which];
    const listed = finished && random.chance(0.05);
    const named = which === 1 && guest !== undefined;
    const { battlePoints, ...score } = sideScore(random, fought, which, pack, habits, metrics);
    const list = listed ? inventArmyList(random, army, formation, battleSize) : undefined;
    return {
      ...(named ? { name: guest } : { player: id }),
      ...(home === undefined || named ? {} : { club: home }),
      ...(habits.sideFactions ? { faction: army.name, subFaction: list?.subFaction ?? formation } : {}),
      ...(finished ? { ...score, ...(scored ? { battlePoints } : {}) } : {}),
      ...(list ? { list } : {}),
    };
  };
  const winner = fought.winner === null || !finished ? undefined : fought.winner;
  return {
    kind: 'battle',
    id: `${community.tag}-casual-${index.toString(36)}`,
    ...(habits.dates ? { date: dateOf(day) } : {}),
    ...(random.chance(0.9) ? { scenario: random.pick(scenarios) } : {}),
    ...(pack ? { battlePack: pack.name } : {}),
    finished,
    ...(winner !== undefined && fought.victorySize ? { victorySize: fought.victorySize } : {}),
    ...(random.chance(0.01) ? { archived: true } : {}),
    ...(random.chance(0.5) ? { club: inventClub(community, random.below(community.clubs)).record.slug } : {}),
    battleSize,
    ...(winner === undefined
      ? {}
      : { winner: winner === 1 && guest !== undefined ? guest : people[winner].id }),
    sides: [side(0), side(1)],
  };
}

function someone(random: Random, community: Community, index: number) {
  const { id, skill, faction: own, formation, inventClub: home } = inventPlayer(community, index);
  const faction = random.chance(0.7) ? own : anyFaction(random);
  const army = at(factions, faction);
  return {
    id,
    skill,
    strength: at(strengths, faction),
    army,
    formation: at(army.formations, formation % army.formations.length),
    home: home === undefined ? undefined : inventClub(community, home).record.slug,
  };
}
