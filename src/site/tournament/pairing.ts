import { sidesWithGuests } from '../parts/guests.ts';
import { html } from '../parts/html.ts';
import type { Identity } from '../parts/names.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import type { ShownBattle } from './statements.ts';
import type { MatchSide, ShownMatch } from './match.ts';
import { decimalsOf } from '../parts/numbers.ts';
import type { Words } from '../words/en.ts';

/** A battle at its table. `isPast`: the play has gone past it, so it may stay without a result. */
export function pairing(site: SiteSettings, shown: ShownBattle, isPast = false): ShownMatch {
  const { table } = shown;
  const battle = battleWithGuests(site, shown);
  const decimals = decimalsOf(battle.players.flatMap(({ victoryPoints }) => victoryPoints ?? []));
  const [first, second] = battle.players.map((side) => sideOfPairing(site.words, side, decimals));
  const isOpen = battle.players.every(({ outcome }) => outcome === null);
  return {
    address: pathTo(site, `/battles/${battle.id}`),
    table,
    lead: table === null ? undefined : { word: site.words.match.table, number: table },
    state: isOpen ? (isPast ? 'missing' : 'open') : 'over',
    sides: [first ?? nobody, second ?? nobody],
  };
}

/** The battle, and the key of each side that is a guest. */
export function battleWithGuests(site: SiteSettings, { battle, entries }: ShownBattle): BattleWithGuests {
  return { ...battle, players: sidesWithGuests(site, battle.tournament, battle.players, entries) };
}

export interface BattleWithGuests extends Omit<ShownBattle['battle'], 'players'> {
  players: (ShownBattle['battle']['players'][number] & Pick<Identity, 'guest'>)[];
}

const nobody: MatchSide = { from: html`–` };

function sideOfPairing(
  { number }: Words,
  { player, playerId, guest, faction, outcome, victoryPoints }: BattleWithGuests['players'][number],
  decimals: number,
): MatchSide {
  return {
    player,
    playerId,
    guest,
    faction,
    outcome: outcome === null ? undefined : spoken[outcome],
    score: victoryPoints === null ? undefined : number(victoryPoints, decimals),
  };
}

/** What a screen reader says of a side. */
export const spoken = { win: 'won', loss: 'lost', draw: 'drew' } as const;
