import { isPlayed, outcomeOf, sideOfBattle, winnerAmongGuests, winnerIn } from '../../read/matches-now.ts';
import { html, type Html } from '../parts/html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import type { ShownBattle } from '../tournament/statements.ts';
import { type Bracket, type BracketRound, matchesOf, type PlacedMatch } from './tree.ts';
import { drawnWin, sentenceOf } from '../parts/drawn.ts';
import { isOf, type MatchSide, matchBox, type ShownMatch } from '../tournament/match.ts';
import { name } from '../parts/names.ts';
import { decimalsOf } from '../parts/numbers.ts';
import { type BattleWithGuests, battleWithGuests, spoken } from '../tournament/pairing.ts';
import { roundName } from '../now/current-round.ts';
import { isCurrent } from '../parts/tabs.ts';
import type { Words } from '../words/en.ts';

/** Battles by id. */
export type Battles = ReadonlyMap<string, BattleWithGuests>;

export function battlesById(site: SiteSettings, battles: readonly (ShownBattle | null)[] | null): Battles {
  return new Map(
    (battles ?? []).flatMap((each) =>
      each === null ? [] : [[each.battle.id, battleWithGuests(site, each)]],
    ),
  );
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
  const { words } = site;
  const shown = (match: PlacedMatch) => {
    const rounds =
      bracket.trees.find((columns) => columns.some(({ matches }) => matches.includes(match))) ?? [];
    const later = rounds.filter((round) => roundOf(round) > match.inRound);
    const own = withoutFactions(bracketMatch(site, match, battles, isPast));
    return withNext(words, own, match, later);
  };
  const box = (match: PlacedMatch) => matchBox(words, shown(match), followed);
  const mine = matchesOf(bracket).findLast((match) => isOf(shown(match), followed));
  const item = (match: PlacedMatch, kind?: string) => {
    const kinds = [kind, match === mine && 'on-top'].filter(Boolean).join(' ');
    return html`
<li${kinds !== '' && html` class="${kinds}"`}>${box(match)}</li>`;
  };
  return html`<ol class="flat mine-top">${mine && html`<li>${box(mine)}</li>`}</ol>
${turn && roundTabs(words, bracket, turn)}
${bracket.trees.map((rounds) => tree(words, rounds, item, turn?.round))}
${bracket.apart.length > 0 && stacked(words, bracket.apart, item)}`;
}

/** Links, so that a phone needs no script to see another round. */
function roundTabs(words: Words, { trees }: Bracket, turn: NonNullable<DrawnBracket['turn']>): Html | false {
  const [rounds = []] = trees;
  return (
    rounds.length > 1 &&
    html`<nav class="tabs steps round-tabs" aria-label="${words.match.roundsOfBracket}"><ul>${rounds.map(
      (round) => {
        const own = roundOf(round);
        return html`
<li><a href="${turn.addressOf(own)}#bracket"${own === turn.round && isCurrent}>${name(titleOf(words, round))}</a></li>`;
      },
    )}
</ul></nav>`
  );
}

const roundOf = ({ matches }: BracketRound) => matches.find((match) => match !== undefined)?.inRound ?? 0;

function titleOf(words: Words, round: BracketRound): string {
  const matches = round.matches.filter((match) => match !== undefined);
  return round.name === undefined
    ? words.rounds.round(roundOf(round))
    : roundName(words, [round.name], matches.length);
}

/** Where the winner plays next: on a phone there are no lines. */
function withNext(
  { match: said }: Words,
  shown: ShownMatch,
  match: PlacedMatch,
  later: readonly BracketRound[],
): ShownMatch {
  const next = later[0]?.matches.find((each) => each?.feeders.includes(match));
  if (next === undefined) return shown;
  const way = html`<span class="onward">${shown.note !== undefined && ' · '}${said.winnerPlays(next.number)}</span>`;
  return { ...shown, note: html`${shown.note}${way}` };
}

type Item = (match: PlacedMatch, kind?: string) => Html;

function tree(
  words: Words,
  rounds: readonly BracketRound[],
  item: Item,
  shownRound: number | undefined,
): Html {
  const isOne = rounds.length > 1 && rounds.some((round) => roundOf(round) === shownRound);
  return html`<ol class="bracket${isOne && ' one'}">${rounds.map(
    (round, index) => html`
<li${roundOf(round) === shownRound && html` class="shown"`}>
<h3>${name(titleOf(words, round))}</h3>
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

function stacked(words: Words, rounds: readonly BracketRound[], item: Item): Html {
  return html`<ol class="rounds">${rounds.map(
    (round) => html`
<li>
<h3>${name(titleOf(words, round))}</h3>
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
  const { words } = site;
  const { players, battle } = match;
  // People in the hall look for their table. Who has a bye plays at none.
  const hasTable = match.table > 0 && (players.length === 2 || match.winner === null);
  const shown = {
    address: battle === null ? undefined : pathTo(site, `/battles/${battle}`),
    lead: hasTable
      ? { word: words.match.table, number: match.table }
      : { word: words.match.match, number: match.number },
    table: hasTable ? match.table : null,
    note: hasTable ? html`<span>${words.match.match} ${match.number}</span>` : undefined,
  };
  if (players.length < 2) return { ...shown, ...undecided(words, match) };
  const open = isPast ? 'missing' : 'open';
  return {
    ...shown,
    state: isPlayed(match, battles) ? 'over' : open,
    sides: sidesOf(words, match, battles),
    why: whyOf(words, match, battles.get(battle ?? '')),
  };
}

/** Before its players are known, or a match of one player, who needs no opponent. */
function undecided(
  { match: said }: Words,
  { winner, guests, feeders, losersOf }: PlacedMatch,
): Pick<ShownMatch, 'state' | 'sides'> {
  if (winner !== null) {
    return {
      state: 'over',
      sides: [{ player: winner, guest: guests.winner, outcome: 'won' }, { from: html`${said.bye}` }],
    };
  }
  const [upper, lower] = feeders.length === 1 ? [undefined, feeders[0]] : feeders;
  const from = (feeder: PlacedMatch | undefined, loser: PlacedMatch | undefined): MatchSide => {
    if (feeder !== undefined && feeder.winner !== null) return winnerOf(feeder);
    if (feeder !== undefined) return { from: html`${said.winnerOf(feeder.number)}` };
    return { from: html`${loser === undefined ? said.toBeDecided : said.loserOf(loser.number)}` };
  };
  return { state: 'wait', sides: [from(upper, losersOf[0]), from(lower, losersOf[1])] };
}

/** Who comes from a match. Where both had that name, it is not known which of them. */
export function winnerOf(match: PlacedMatch): MatchSide {
  const { players, playerIds, guests, seeds, winner } = match;
  const which = players[0] === players[1] ? (winnerAmongGuests(match) ?? -1) : players.indexOf(winner ?? '');
  return {
    player: winner ?? '',
    playerId: playerIds[which] ?? null,
    guest: guests.players[which],
    seed: seeds[which] ?? undefined,
  };
}

function sidesOf(
  { number, match: said }: Words,
  match: PlacedMatch,
  battles: Battles,
): [MatchSide, MatchSide] {
  const battle = battles.get(match.battle ?? '');
  const decimals = decimalsOf(battle?.players.flatMap(({ victoryPoints }) => victoryPoints ?? []) ?? []);
  const side = (index: 0 | 1): MatchSide => {
    const played = sideOfBattle(match, battle, index);
    const points = played?.victoryPoints ?? null;
    const outcome = outcomeOf(match, battle, index);
    return {
      player: match.players[index] ?? '',
      playerId: match.playerIds[index] ?? null,
      guest: match.guests.players[index],
      seed: match.seeds[index] ?? undefined,
      faction: played?.faction,
      outcome: outcome === null ? undefined : spoken[outcome],
      score: points === null ? undefined : number(points, decimals),
    };
  };
  const [first, second] = upperFirst(match) ? [side(0), side(1)] : [side(1), side(0)];
  if (match.isWalkover) {
    for (const each of [first, second]) if (each.outcome === 'won') each.score = said.walkover;
  }
  return [first, second];
}

function whyOf(words: Words, match: PlacedMatch, battle: BattleWithGuests | undefined): string | undefined {
  const won = winnerIn(match, battle);
  if (won === undefined) return undefined;
  const [winner, loser] = [sideOfBattle(match, battle, won), sideOfBattle(match, battle, won === 0 ? 1 : 0)];
  const drawn = winner && loser && drawnWin(winner, loser);
  return drawn && `${words.battle.drawn} ${sentenceOf(words, drawn)}`;
}

/** The order of players does not follow the matches that they come from. */
function upperFirst({ players, feeders }: PlacedMatch): boolean {
  const [upper, lower] = feeders.length === 1 ? [undefined, feeders[0]] : feeders;
  const [first, second] = players;
  if (first === second) return true;
  return (upper?.winner ?? null) !== second && (lower?.winner ?? null) !== first;
}
