import { html, type Html } from '../html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import type { ShownBattle } from '../statements/tournament.ts';
import { type Bracket, type BracketRound, type PlacedMatch } from './bracket-tree.ts';
import { type MatchSide, matchBox, playerInMatch, type ShownMatch } from './match.ts';
import { name } from './names.ts';
import { decimalsOf, number } from './numbers.ts';

/** Battles by id. */
export type Battles = ReadonlyMap<string, ShownBattle['battle']>;

export function battlesById(battles: readonly (ShownBattle | null)[] | null): Battles {
  return new Map((battles ?? []).flatMap((each) => (each === null ? [] : [[each.battle.id, each.battle]])));
}

/** As nested lists: rounds, then matches. The style sheet draws the lines. */
export function drawnBracket(site: SiteSettings, bracket: Bracket, battles: Battles): Html {
  const box = (match: PlacedMatch) => matchBox(withoutFactions(bracketMatch(site, match, battles)));
  return html`${bracket.trees.map((rounds) => tree(rounds, box))}
${bracket.apart.length > 0 && stacked(bracket.apart, box)}`;
}

function tree(rounds: readonly BracketRound[], box: (match: PlacedMatch) => Html): Html {
  return html`<ol class="bracket">${rounds.map(
    (round, index) => html`
<li>
<h3>${name(round.name)}</h3>
<ol>${round.matches.map((match) => treeItem(match, index, box))}
</ol>
</li>`,
  )}
</ol>
`;
}

function treeItem(match: PlacedMatch | undefined, index: number, box: (match: PlacedMatch) => Html): Html {
  if (match === undefined) return emptyPlace;
  return html`
<li${index > 0 && match.feeders.length === 0 && withoutLine}>${box(match)}</li>`;
}

/** So that 32 matches fit one below the other. */
function withoutFactions(match: ShownMatch): ShownMatch {
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
const withoutLine = html` class="fresh"`;

function stacked(rounds: readonly BracketRound[], box: (match: PlacedMatch) => Html): Html {
  return html`<ol class="rounds">${rounds.map(
    ({ name: title, matches }) => html`
<li>
<h3>${name(title)}</h3>
<ol class="pairings">${matches.map(
      (match) =>
        match &&
        html`
<li>${box(match)}</li>`,
    )}
</ol>
</li>`,
  )}
</ol>`;
}

export function bracketMatch(site: SiteSettings, match: PlacedMatch, battles: Battles): ShownMatch {
  const { players, winner, battle } = match;
  const shown = {
    address: battle === null ? undefined : pathTo(site, `/battles/${battle}`),
    lead: { word: 'Match', number: match.number },
  };
  if (players.length < 2) return { ...shown, ...undecided(match) };
  return { ...shown, state: winner === null ? 'open' : 'over', sides: sidesOf(match, battles) };
}

/** Before its players are known, or a match of one player, who needs no opponent. */
function undecided({ winner, feeders, losersOf }: PlacedMatch): Pick<ShownMatch, 'state' | 'sides'> {
  if (winner !== null) {
    return { state: 'over', sides: [{ who: playerInMatch(winner), outcome: 'won' }, { who: html`Bye` }] };
  }
  const [upper, lower] = feeders.length === 1 ? [undefined, feeders[0]] : feeders;
  const from = (feeder: PlacedMatch | undefined, loser: PlacedMatch | undefined): MatchSide => {
    if (feeder !== undefined && feeder.winner !== null) return { who: playerInMatch(feeder.winner) };
    if (feeder !== undefined) return { who: html`Winner of match ${feeder.number}` };
    return { who: loser === undefined ? html`To be decided` : html`Loser of match ${loser.number}` };
  };
  return { state: 'wait', sides: [from(upper, losersOf[0]), from(lower, losersOf[1])] };
}

function sidesOf(match: PlacedMatch, battles: Battles): [MatchSide, MatchSide] {
  const battle = battles.get(match.battle ?? '');
  const won = winnerIn(match, battle);
  const decimals = decimalsOf(battle?.players.flatMap(({ victoryPoints }) => victoryPoints ?? []) ?? []);
  const side = (index: 0 | 1): MatchSide => {
    const played = sideOfBattle(match, battle, index);
    const points = played?.victoryPoints ?? null;
    return {
      who: playerInMatch(match.players[index] ?? ''),
      faction: played?.faction,
      outcome: won === undefined ? undefined : won === index ? 'won' : 'lost',
      score: points === null ? undefined : number(points, decimals),
    };
  };
  const [first, second] = upperFirst(match) ? [side(0), side(1)] : [side(1), side(0)];
  if (match.isWalkover) {
    for (const each of [first, second]) if (each.outcome === 'won') each.score = 'w/o';
  }
  if (match.winner === null && match.table > 0)
    first.score ??= html`<span class="sub">table ${match.table}</span>`;
  return [first, second];
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
