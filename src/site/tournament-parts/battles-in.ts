import type { Battle } from '../../contract/battle.ts';
import type { BattleView } from '../../published/views.ts';
import { parseStored } from '../../read/page-address.ts';

/** Returns the battles that a statement has read with `battleLines`. */
export function battlesIn(lines: string | null): BattleView[] {
  return lines === null ? [] : lines.split('\n').map(battleIn);
}

function battleIn(line: string): BattleView {
  const [table = '', first = '', second = '', document = ''] = line.split('\t');
  const { id, stage, round, scenario, players } = parseStored<Battle>(document);
  const side = (index: 0 | 1, entry: string): BattleView['sides'][0] => {
    const {
      player = '',
      playerId = null,
      faction = null,
      outcome,
      victoryPoints,
      battlePoints,
    } = players[index] ?? {};
    return {
      player,
      playerId,
      ...(entry !== '' && { entry }),
      faction,
      ...(outcome && { outcome }),
      ...(typeof victoryPoints === 'number' && { victoryPoints }),
      ...(typeof battlePoints === 'number' && { battlePoints }),
    };
  };
  return {
    battle: id,
    stage: stage ?? '',
    round: round ?? 0,
    table: table === '' ? null : Number(table),
    scenario,
    state: players.some(({ outcome }) => outcome !== null) ? 'over' : 'open',
    sides: [side(0, first), side(1, second)],
  };
}
