import { html, type Html } from '../parts/html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import type { ShownBattle } from '../tournament/statements.ts';
import { type Bracket, type BracketRound, matchesOf, type PlacedMatch } from './tree.ts';
import { drawnWin } from '../parts/drawn.ts';
import { isOf, type MatchSide, matchBox, type ShownMatch } from '../tournament/match.ts';
import { name } from '../parts/names.ts';
import { decimalsOf, number } from '../parts/numbers.ts';
import { spoken } from '../tournament/pairing.ts';
import { roundName } from '../now/current-round.ts';
import { isCurrent } from '../parts/tabs.ts';

/** Battles by id. */
export type Battles = ReadonlyMap<string, ShownBattle['battle']>;

export function battlesById(battles: readonly (ShownBattle | null)[] | null): Battles {
  return new Map((battles ?? []).flatMap((each) => (each === null ? [] : [[each.battle.id, each.battle]])));
}

export interface DrawnBracket {
  site: SiteSettings;
  bracket: Bracket;
  battles: Battles;
  isPast?: boolean;
  followed?: string | undefined;
  /** The round that a phone shows, and the address of each round. Without it, a phone shows all rounds. */
  turn?: { round: number; addressOf: (round: number) => string } | undefined;
}

/** As nested lists: rounds, then matches. The style sheet draws the lines. The last match of a followed player is on top. */
export function drawnBracket({ site, bracket, battles, isPast, followed, turn }: DrawnBracket): Html {
  const shown = (match: PlacedMatch) => {
    const rounds =
      bracket.trees.find((columns) => columns.some(({ matches }) => matches.includes(match))) ?? [];
    const later = rounds.filter((round) => roundOf(round) > match.inRound);
    const own = withoutFactions(bracketMatch(site, match, battles, isPast));
    return withNext(own, match, later);
  };
  const box = (match: PlacedMatch) => matchBox(shown(match), followed);
  const mine = matchesOf(bracket).findLast((match) => isOf(shown(match), followed));
  const item = (match: PlacedMatch, kind?: string) => {
    const kinds = [kind, match === mine && 'on-top'].filter(Boolean).join(' ');
    return html`
<li${kinds !== '' && html` class="${kinds}"`}>${box(match)}</li>`;
  };
  return html`<ol class="flat mine-top">${mine && html`<li>${box(mine)}</li>`}</ol>
${turn && roundTabs(bracket, turn)}
${bracket.trees.map((rounds) => tree(rounds, item, turn?.round))}
${bracket.apart.length > 0 && stacked(bracket.apart, item)}`;
}

/** Links, so that a phone needs no script to see another round. */
function roundTabs({ trees }: Bracket, turn: NonNullable<DrawnBracket['turn']>): Html | false {
  const [rounds = []] = trees;
  return (
    rounds.length > 1 &&
    html`<nav class="tabs steps round-tabs" aria-label="Rounds of the bracket"><ul>${rounds.map((round) => {
      const own = roundOf(round);
      return html`
<li><a href="${turn.addressOf(own)}#bracket"${own === turn.round && isCurrent}>${name(titleOf(round))}</a></li>`;
    })}
</ul></nav>`
  );
}

const roundOf = ({ matches }: BracketRound) => matches.find((match) => match !== undefined)?.inRound ?? 0;

function titleOf({ name: called, matches }: BracketRound): string {
  return roundName([called], matches.filter((match) => match !== undefined).length);
}

/** Where the winner plays next: on a phone there are no lines. */
function withNext(shown: ShownMatch, match: PlacedMatch, later: readonly BracketRound[]): ShownMatch {
  const next = later[0]?.matches.find((each) => each?.feeders.includes(match));
  if (next === undefined) return shown;
  const way = html`<span class="onward">${shown.note !== undefined && ' · '}Winner plays match ${next.number}</span>`;
  return { ...shown, note: html`${shown.note}${way}` };
}

type Item = (match: PlacedMatch, kind?: string) => Html;

function tree(rounds: readonly BracketRound[], item: Item, shownRound: number | undefined): Html {
  const isOne = rounds.length > 1 && rounds.some((round) => roundOf(round) === shownRound);
  return html`<ol class="bracket${isOne && ' one'}">${rounds.map(
    (round, index) => html`
<li${roundOf(round) === shownRound && html` class="shown"`}>
<h3>${name(titleOf(round))}</h3>
<ol>${round.matches.map((match) => treeItem(match, index, item))}
</ol>
</li>`,
  )}
</ol>
`;
}

function treeItem(match: PlacedMatch | undefined, index: number, item: Item): Html {
  if (match === undefined) return emptyPlace;
  // Without a line.
  return item(match, index > 0 && match.feeders.length === 0 ? 'fresh' : undefined);
}

/** So that 32 matches fit one below the other. */
export function withoutFactions(match: ShownMatch): ShownMatch {
  const [upper, lower] = match.sides;
  return {
    ...match,
    sides: [
      { ...upper, faction: undefined },
      { ...lower, faction: undefined },
    ],
  };
}

const emptyPlace = html`
<li class="bye" aria-hidden="true"></li>`;

function stacked(rounds: readonly BracketRound[], item: Item): Html {
  return html`<ol class="rounds">${rounds.map(
    (round) => html`
<li>
<h3>${name(titleOf(round))}</h3>
<ol class="pairings">${round.matches.map((match) => match && item(match))}
</ol>
</li>`,
  )}
</ol>`;
}

/** `isPast`: the play has gone past the bracket, so open matches stay without a result. */
export function bracketMatch(
  site: SiteSettings,
  match: PlacedMatch,
  battles: Battles,
  isPast = false,
): ShownMatch {
  const { players, battle } = match;
  // People in the hall look for their table. Who has a bye plays at none.
  const hasTable = match.table > 0 && (players.length === 2 || match.winner === null);
  const shown = {
    address: battle === null ? undefined : pathTo(site, `/battles/${battle}`),
    lead: hasTable ? { word: 'Table', number: match.table } : { word: 'Match', number: match.number },
    table: hasTable ? match.table : null,
    note: hasTable ? html`<span>Match ${match.number}</span>` : undefined,
  };
  if (players.length < 2) return { ...shown, ...undecided(match) };
  const open = isPast ? 'missing' : 'open';
  return {
    ...shown,
    state: isPlayed(match, battles) ? 'over' : open,
    sides: sidesOf(match, battles),
    why: whyOf(match, battles.get(battle ?? '')),
  };
}

/** It may have a battle with a result and no winner: a draw, of which the organiser has not said yet who goes on. */
export function isPlayed({ winner, battle }: PlacedMatch, battles: Battles): boolean {
  const sides = battles.get(battle ?? '')?.players ?? [];
  return winner !== null || sides.some(({ outcome }) => outcome !== null);
}

/** Before its players are known, or a match of one player, who needs no opponent. */
function undecided({ winner, feeders, losersOf }: PlacedMatch): Pick<ShownMatch, 'state' | 'sides'> {
  if (winner !== null) {
    return { state: 'over', sides: [{ player: winner, outcome: 'won' }, { from: html`Bye` }] };
  }
  const [upper, lower] = feeders.length === 1 ? [undefined, feeders[0]] : feeders;
  const from = (feeder: PlacedMatch | undefined, loser: PlacedMatch | undefined): MatchSide => {
    if (feeder !== undefined && feeder.winner !== null) return winnerOf(feeder);
    if (feeder !== undefined) return { from: html`Winner of match ${feeder.number}` };
    return { from: loser === undefined ? html`To be decided` : html`Loser of match ${loser.number}` };
  };
  return { state: 'wait', sides: [from(upper, losersOf[0]), from(lower, losersOf[1])] };
}

/** Who comes from a match. Where both had that name, it is not known which of them. */
export function winnerOf({ players, playerIds, seeds, winner }: PlacedMatch): MatchSide {
  const which = players[0] === players[1] ? -1 : players.indexOf(winner ?? '');
  return { player: winner ?? '', playerId: playerIds[which] ?? null, seed: seeds[which] ?? undefined };
}

function sidesOf(match: PlacedMatch, battles: Battles): [MatchSide, MatchSide] {
  const battle = battles.get(match.battle ?? '');
  const won = winnerIn(match, battle);
  const decimals = decimalsOf(battle?.players.flatMap(({ victoryPoints }) => victoryPoints ?? []) ?? []);
  const side = (index: 0 | 1): MatchSide => {
    const played = sideOfBattle(match, battle, index);
    const points = played?.victoryPoints ?? null;
    return {
      player: match.players[index] ?? '',
      playerId: match.playerIds[index] ?? null,
      seed: match.seeds[index] ?? undefined,
      faction: played?.faction,
      outcome: won === undefined ? undecidedOutcome(match, played) : won === index ? 'won' : 'lost',
      score: points === null ? undefined : number(points, decimals),
    };
  };
  const [first, second] = upperFirst(match) ? [side(0), side(1)] : [side(1), side(0)];
  if (match.isWalkover) {
    for (const each of [first, second]) if (each.outcome === 'won') each.score = 'w/o';
  }
  return [first, second];
}

function whyOf(match: PlacedMatch, battle: ShownBattle['battle'] | undefined): string | undefined {
  const won = winnerIn(match, battle);
  if (won === undefined) return undefined;
  const [winner, loser] = [sideOfBattle(match, battle, won), sideOfBattle(match, battle, won === 0 ? 1 : 0)];
  const drawn = winner && loser && drawnWin(winner, loser);
  return drawn && `Drawn. ${drawn.words}`;
}

function undecidedOutcome(match: PlacedMatch, side: BattleSide | undefined): MatchSide['outcome'] {
  return match.winner === null && side?.outcome ? spoken[side.outcome] : undefined;
}

type BattleSide = ShownBattle['battle']['players'][number];

function sideOfBattle(
  { players, playerIds }: PlacedMatch,
  battle: ShownBattle['battle'] | undefined,
  index: 0 | 1,
): BattleSide | undefined {
  const sides = battle?.players ?? [];
  const id = playerIds[index] ?? null;
  if (id !== null) return sides.find(({ playerId }) => playerId === id);
  if (players[0] === players[1]) return sides.find(({ playerId }) => playerId === null) ?? sides[index];
  return sides.find(({ player }) => player === players[index]);
}

/** The standings name the winner. Where both have that name, the battle tells. */
function winnerIn(match: PlacedMatch, battle: ShownBattle['battle'] | undefined): 0 | 1 | undefined {
  const { players, winner } = match;
  if (winner === null) return undefined;
  if (players[0] !== players[1]) return winner === players[0] ? 0 : winner === players[1] ? 1 : undefined;
  const [first, second] = [sideOfBattle(match, battle, 0), sideOfBattle(match, battle, 1)];
  if (first === second) return undefined;
  return first?.outcome === 'win' ? 0 : second?.outcome === 'win' ? 1 : undefined;
}

/** The order of players does not follow the matches that they come from. */
function upperFirst({ players, feeders }: PlacedMatch): boolean {
  const [upper, lower] = feeders.length === 1 ? [undefined, feeders[0]] : feeders;
  const [first, second] = players;
  if (first === second) return true;
  return (upper?.winner ?? null) !== second && (lower?.winner ?? null) !== first;
}
