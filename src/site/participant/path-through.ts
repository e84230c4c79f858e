import type { Outcome } from '../../published/views.ts';
import { score } from '../parts/battles.ts';
import { drawnSentence } from '../match/drawn.ts';
import { withGuest } from '../parts/guests.ts';
import { html, joined, type Html } from '../html.ts';
import { name, participantLink } from '../parts/names.ts';
import { decimalsOf } from '../parts/numbers.ts';
import { dot } from '../parts/path.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import { spoken } from '../match/pairing.ts';
import type { ShownTournament } from '../tournament-parts/tournament-frame.ts';
import type { Words } from '../words/en.ts';
import { matchName } from '../words/stored.ts';
import { type EntryGame, type GameState, stateOf } from './games.ts';

interface PathOf {
  rankAfter: (stage: string, round: number) => number | null | undefined;
  hasDropped: boolean;
}

/** The decimals of the points in all games of the list. */
interface Decimals {
  battle: number;
  victory: number;
}

/** Lists the games round by round, with a heading for each stage if there are several. */
export function pathThroughRounds(
  site: SiteSettings,
  tournament: ShownTournament,
  games: readonly EntryGame[],
  { rankAfter, hasDropped }: PathOf,
): Html {
  const parts = [...Map.groupBy(games, ({ stage }) => stage)];
  const decimals = {
    battle: decimalsOf(games.map(({ sides }) => sides?.own.battlePoints ?? 0)),
    victory: decimalsOf(
      games.flatMap(({ sides }) =>
        sides === undefined ? [] : [sides.own.victoryPoints ?? 0, sides.other.victoryPoints ?? 0],
      ),
    ),
  };
  const nameOf = (id: string) => tournament.stages.find((stage) => stage.id === id)?.name ?? id;
  return html`${parts.map(
    ([stage, own]) => html`${parts.length > 1 && html`<h3>${name(nameOf(stage))}</h3>`}
<ol class="path">${own.map((game) => gameItem(site, tournament, game, rankAfter(stage, game.round), decimals))}${
      !hasDropped && stage === parts.at(-1)?.[0] && roundsToCome(site, tournament, stage, own)
    }
</ol>
`,
  )}`;
}

function gameItem(
  site: SiteSettings,
  tournament: ShownTournament,
  game: EntryGame,
  rank: number | null | undefined,
  decimals: Decimals,
): Html {
  const { words } = site;
  const { round, title, table, sides } = game;
  const facts = [
    ...(title === undefined ? [] : [name(matchName(words, title))]),
    ...(sides?.other.faction ? [name(sides.other.faction)] : []),
    ...(table === null ? [] : [words.rounds.atTable(table)]),
    ...decisionOf(words, game),
  ];
  const who =
    sides === undefined
      ? html`<b>${words.match.bye}</b>`
      : participantLink(site, withGuest(site, tournament.slug, sides.other));
  const state = stateOf(tournament, game);
  const points = sides?.own.battlePoints;
  const after = [
    ...(points === undefined
      ? []
      : [`${words.number(points, decimals.battle)} ${words.board.battlePoints[0]}`]),
    ...(rank ? [words.ordinal(rank)] : []),
  ];
  return html`
<li><b>${round}</b>${dotOf(game, state)}<span>${who}${facts.length > 0 && html`<span class="sub">${joined(facts, ' · ')}</span>`}</span><span class="num">${resultOf(site, game, state, decimals)}${after.length > 0 && html`<span class="sub">${after.join(' · ')}</span>`}</span></li>`;
}

/** Says who won the match, if the battle doesn't show it. */
function decisionOf(words: Words, { sides, drawn, isOverruled }: EntryGame): Html[] {
  if (sides === undefined || (drawn === undefined && !isOverruled)) return [];
  const t = words.battle;
  const winner = sides.own.outcome === 'win' ? sides.own : sides.other;
  const why = drawn === undefined ? t.byOrganiser : drawnSentence(words, drawn);
  return [html`${t.wonMatch(name(winner.player))} ${why}`];
}

/** Returns the outcome of the battle, which counts in the standings. The match may have gone to the other side. */
function battleOutcome({ sides, drawn, isOverruled }: EntryGame): Outcome | undefined {
  const outcome = sides?.own.outcome;
  if (outcome === undefined) return undefined;
  if (drawn?.isDraw) return 'draw';
  return isOverruled ? (outcome === 'win' ? 'loss' : 'win') : outcome;
}

function dotOf(game: EntryGame, state: GameState): Html {
  if (game.sides === undefined) return dot('B');
  const outcome = battleOutcome(game);
  if (outcome === undefined) return dot(state === 'playing' ? 'P' : '-');
  return dot(({ win: 'W', draw: 'D', loss: 'L' } as const)[outcome]);
}

function resultOf(site: SiteSettings, game: EntryGame, state: GameState, decimals: Decimals): Html | string {
  const { words } = site;
  const { sides, battle = null } = game;
  if (sides === undefined) return '';
  const { own, other } = sides;
  const outcome = battleOutcome(game);
  const known = outcome && spoken[outcome];
  if (battle === null && known !== undefined) return words.match[known];
  if (battle === null)
    return state === 'playing' ? html`<span class="at">${words.board.playingNow}</span>` : '';
  const address = pathTo(site, `/battles/${battle}`);
  const stateWords = {
    playing: words.board.playingNow,
    open: words.rounds.noResultYet,
    missing: words.rounds.missing,
    over: '',
  };
  if (known === undefined) {
    return html`<a href="${address}" class="at">${stateWords[state]}</a>`;
  }
  const points = (side: typeof own) => ({ victoryPoints: side.victoryPoints ?? null });
  return html`<a href="${address}"><span class="vh">${words.match[known]} </span>${score(site, points(own), points(other), decimals.victory)}</a>`;
}

/** A league may have hundreds of rounds. */
const mostToCome = 8;

function roundsToCome(
  site: SiteSettings,
  { isRunning, played, stages }: ShownTournament,
  stage: string,
  games: readonly EntryGame[],
): Html[] {
  const { type, rounds = 0 } = stages.find(({ id }) => id === stage) ?? {};
  // If a later stage has begun, this one was cut short.
  const newest = played.findLast(({ begun }) => begun > 0)?.id ?? stage;
  if (!isRunning || type !== 'board' || newest !== stage) return [];
  const last = Math.max(...games.map(({ round }) => round));
  return Array.from(
    { length: Math.min(rounds - last, mostToCome) },
    (_, index) => html`
<li class="gone"><b>${last + index + 1}</b>${dot('-')}<span class="sub">${site.words.entry.notPaired}</span></li>`,
  );
}
