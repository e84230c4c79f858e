import type { BattleView, SeatView } from '../../published/views.ts';
import { withGuest } from '../parts/guests.ts';
import { html, type Html } from '../html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import type { MatchSide, ShownMatch } from './card.ts';
import { decimalsOf } from '../parts/numbers.ts';
import type { Words } from '../words/en.ts';

/** Returns the card of a battle. */
export function battleBox(site: SiteSettings, slug: string, view: BattleView): ShownMatch {
  const { battle, table, state, sides } = view;
  const decimals = decimalsOf(sides.flatMap((side) => ('player' in side ? (side.victoryPoints ?? []) : [])));
  const seat = (side: SeatView) => seatOf(site, slug, side, decimals);
  return {
    address: battle === null ? undefined : pathTo(site, `/battles/${battle}`),
    table,
    lead: table === null ? undefined : { word: site.words.match.table, number: table },
    state,
    sides: [seat(sides[0]), seat(sides[1])],
  };
}

function seatOf(site: SiteSettings, slug: string, seat: SeatView, decimals: number): MatchSide {
  const { words } = site;
  if ('from' in seat) return { from: comingFrom(words, seat) };
  const { player, playerId, seed, faction, outcome, victoryPoints, guest, page } = withGuest(
    site,
    slug,
    seat,
  );
  return {
    player,
    playerId,
    guest,
    page,
    seed,
    faction,
    outcome: outcome && spoken[outcome],
    score: victoryPoints === undefined ? undefined : words.number(victoryPoints, decimals),
  };
}

function comingFrom({ match: t }: Words, seat: Extract<SeatView, { from: string }>): Html {
  if ('of' in seat) return html`${seat.from === 'winner' ? t.winnerOf(seat.of) : t.loserOf(seat.of)}`;
  return html`${seat.from === 'bye' ? t.bye : t.toBeDecided}`;
}

/** The names of the messages in which a screen reader says the outcome of a side. */
export const spoken = { win: 'won', loss: 'lost', draw: 'drew' } as const;
