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
import { matchName } from '../words/stored.ts';
import { type EntryGame, type GameState, stateOf } from './games.ts';

interface PathOf {
  rankAfter: (stage: string, round: number) => number | null | undefined;
  hasDropped: boolean;
}

/** Lists the games round by round, with a heading for each stage if there are several. */
export function pathThroughRounds(
  site: SiteSettings,
  tournament: ShownTournament,
  games: readonly EntryGame[],
  { rankAfter, hasDropped }: PathOf,
): Html {
  const parts = [...Map.groupBy(games, ({ stage }) => stage)];
  const nameOf = (id: string) => tournament.stages.find((stage) => stage.id === id)?.name ?? id;
  return html`${parts.map(
    ([stage, own]) => html`${parts.length > 1 && html`<h3>${name(nameOf(stage))}</h3>`}
<ol class="path">${own.map((game) => gameItem(site, tournament, game, rankAfter(stage, game.round)))}${
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
): Html {
  const { words } = site;
  const { round, title, table, sides, drawn } = game;
  const facts = [
    ...(title === undefined ? [] : [name(matchName(words, title))]),
    ...(sides?.other.faction ? [name(sides.other.faction)] : []),
    ...(table === null ? [] : [words.rounds.atTable(table)]),
    ...(drawn && sides?.own.outcome === 'win' ? [drawnSentence(words, drawn)] : []),
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
      : [`${words.number(points, decimalsOf([points]))} ${words.board.battlePoints[0]}`]),
    ...(rank ? [words.ordinal(rank)] : []),
  ];
  return html`
<li><b>${round}</b>${dotOf(game, state)}<span>${who}${facts.length > 0 && html`<span class="sub">${joined(facts, ' · ')}</span>`}</span><span class="num">${resultOf(site, game, state)}${after.length > 0 && html`<span class="sub">${after.join(' · ')}</span>`}</span></li>`;
}

function dotOf({ sides }: EntryGame, state: GameState): Html {
  if (sides === undefined) return dot('B');
  const { outcome } = sides.own;
  if (outcome === undefined) return dot(state === 'playing' ? 'P' : '-');
  return dot(({ win: 'W', draw: 'D', loss: 'L' } as const)[outcome]);
}

function resultOf(site: SiteSettings, { sides, battle = null }: EntryGame, state: GameState): Html | string {
  const { words } = site;
  if (sides === undefined) return '';
  const { own, other } = sides;
  const known = own.outcome && spoken[own.outcome];
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
  return html`<a href="${address}"><span class="vh">${words.match[known]} </span>${score(site, points(own), points(other))}</a>`;
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
