import { html } from '../parts/html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import type { ShownBattle } from './statements.ts';
import type { MatchSide, ShownMatch } from './match.ts';
import { decimalsOf, number } from '../parts/numbers.ts';

/** A battle at its table. `isPast`: the play has gone past it, so it may stay without a result. */
export function pairing(site: SiteSettings, { table, battle }: ShownBattle, isPast = false): ShownMatch {
  const decimals = decimalsOf(battle.players.flatMap(({ victoryPoints }) => victoryPoints ?? []));
  const [first, second] = battle.players.map((side) => sideOfPairing(side, decimals));
  const isOpen = battle.players.every(({ outcome }) => outcome === null);
  return {
    address: pathTo(site, `/battles/${battle.id}`),
    table,
    lead: table === null ? undefined : { word: 'Table', number: table },
    state: isOpen ? (isPast ? 'missing' : 'open') : 'over',
    sides: [first ?? nobody, second ?? nobody],
  };
}

const nobody: MatchSide = { from: html`–` };

function sideOfPairing(
  { player, playerId, faction, outcome, victoryPoints }: ShownBattle['battle']['players'][number],
  decimals: number,
): MatchSide {
  return {
    player,
    playerId,
    faction,
    outcome: outcome === null ? undefined : spoken[outcome],
    score: victoryPoints === null ? undefined : number(victoryPoints, decimals),
  };
}

/** What a screen reader says of a side. */
export const spoken = { win: 'won', loss: 'lost', draw: 'drew' } as const;
