// The faction of a side and of a board row: one rule for battles, boards, pages and files
// (docs/design/derivations.md).
import type { FactionRecord } from '../../../published/views.ts';
import type { BattleOutline, TournamentOutline } from '../../../record/facts/facts.ts';
import { compareText } from '../../../text/fold.ts';

/** A side or a participant. */
interface Army {
  faction: string | null;
  list?: { faction: string } | null;
}

/**
 * Returns the first faction that one of them names, itself or in its list. Pass a side before its
 * participant.
 */
export function factionOf(...armies: (Army | undefined)[]): string | null {
  for (const army of armies) {
    // The list of an erased person may name only a sub-faction.
    const faction = army?.faction || army?.list?.faction;
    if (faction) return faction;
  }
  return null;
}

/**
 * Returns the faction of each participant's row: the participant's own, otherwise that of their latest
 * finished battle that names one.
 */
export function rowFactions({ stages, battles, participants }: TournamentOutline): Map<string, string> {
  const factions = new Map<string, string>();
  const wanted = new Set<string>();
  for (const participant of participants) {
    const faction = factionOf(participant);
    if (faction === null) wanted.add(participant.id);
    else factions.set(participant.id, faction);
  }
  if (wanted.size === 0) return factions;
  const order = new Map(stages.map((stage, index) => [stage.id, index]));
  const stageOrder = (stage: string | null): number => order.get(stage ?? '') ?? -1;
  const isLater = (a: BattleOutline, b: BattleOutline): boolean =>
    (compareText(a.date ?? '', b.date ?? '') ||
      stageOrder(a.stage) - stageOrder(b.stage) ||
      (a.round ?? 0) - (b.round ?? 0) ||
      compareText(a.id, b.id)) > 0;
  const latest = new Map<string, BattleOutline>();
  for (const battle of battles) {
    if (!battle.finished) continue;
    for (const side of battle.sides) {
      const faction = factionOf(side);
      if (side.participant === null || faction === null || !wanted.has(side.participant)) continue;
      const known = latest.get(side.participant);
      if (known !== undefined && !isLater(battle, known)) continue;
      latest.set(side.participant, battle);
      factions.set(side.participant, faction);
    }
  }
  return factions;
}

/** Returns the records over all stages. `factions` comes from `rowFactions`. */
export function factionRecords(
  facts: TournamentOutline,
  factions: ReadonlyMap<string, string>,
): FactionRecord[] {
  const records = new Map<string, FactionRecord>();
  const of = (faction: string): FactionRecord => {
    const record = records.get(faction) ?? { faction, players: 0, wins: 0, draws: 0, losses: 0 };
    records.set(faction, record);
    return record;
  };
  for (const { id } of facts.participants) {
    const faction = factions.get(id);
    if (faction !== undefined) of(faction).players += 1;
  }
  for (const { first, second, winner } of factionGames(facts, factions)) {
    of(first)[winner === null ? 'draws' : winner === 0 ? 'wins' : 'losses'] += 1;
    of(second)[winner === null ? 'draws' : winner === 1 ? 'wins' : 'losses'] += 1;
  }
  return [...records.values()].toSorted((a, b) => b.players - a.players || compareText(a.faction, b.faction));
}

/**
 * Yields the finished battles between two known factions. Mirrors are left out, because they say nothing
 * about a faction.
 */
export function* factionGames(
  { battles }: Pick<TournamentOutline, 'battles'>,
  factions: ReadonlyMap<string, string>,
): Generator<{ first: string; second: string; winner: 0 | 1 | null }> {
  for (const { finished, winner, sides } of battles) {
    const [first, second] = sides.map((side) => factionOf(side) ?? factions.get(side.participant ?? ''));
    if (!finished || first === undefined || second === undefined || first === second) continue;
    yield { first, second, winner };
  }
}
