import type { ArmyList } from '../../contract/army-list.ts';
import type { BattleDetail, BattlePlayerDetail } from '../../contract/battle.ts';
import type { BracketMatch, BracketStandings } from '../../contract/standings.ts';
import type { Tournament } from '../../contract/tournament.ts';
import { parseStored } from '../../read/page-address.ts';
import { html, joined, type Html } from '../parts/html.ts';
import { noResultsSince } from '../now/old-event.ts';
import { isId, type MadePage, type PageRoute } from '../page.ts';
import { comparison } from './comparison.ts';
import { day, daysInWords } from '../parts/dates.ts';
import { type DrawnWin, drawnWin } from '../parts/drawn.ts';
import { livePage, pulse } from '../now/live.ts';
import { name } from '../parts/names.ts';
import { decimalsOf, number } from '../parts/numbers.ts';
import { roundByRound } from './round-by-round.ts';
import { type PageParts, pathTo, type SiteSettings } from '../site-settings.ts';
import { battleOfPage, type BattlePageRow } from './statements.ts';

export function battlePage(site: SiteSettings): PageRoute {
  return {
    path: '/battles/:id',
    query: [],
    scope: ({ id }) => `battle:${id}`,
    make: async ({ params: { id }, today, read }) => {
      if (!isId(id)) return undefined;
      const [row] = await read<BattlePageRow>(battleOfPage, [id], ([found]) =>
        found?.tournament && found.tournamentRevision !== null
          ? [
              {
                scope: `tournament:${parseStored<Tournament>(found.tournament).slug}`,
                revision: BigInt(found.tournamentRevision),
              },
            ]
          : [],
      );
      return row && battleText(site, row, today);
    },
  };
}

function battleText(site: SiteSettings, row: BattlePageRow, today: string): MadePage {
  const battle = parseStored<BattleDetail>(row.document);
  const tournament = row.tournament === null ? undefined : parseStored<Tournament>(row.tournament);
  const match = matchOf(battle, row);
  const [first, second] = winnerFirst(battle.players, match);
  if (first === undefined || second === undefined) throw new Error(`battle ${battle.id} has not two sides`);
  // Of a casual battle that was archived, a side may have no page.
  const linked = (side: BattlePlayerDetail) => ({
    ...side,
    playerId: tournament !== undefined || row.players.includes(side.playerId ?? '') ? side.playerId : null,
  });
  const sides = [linked(first), linked(second)] as const;
  const drawn = match?.winner === first.player ? drawnWin(first, second) : undefined;
  const isPlaying = first.victoryPoints !== null && tournament?.status !== 'finished';
  const rounds = roundByRound(sides, first.outcome !== null);
  const between = `${first.player} vs ${second.player}`;
  // The page asks for itself: lists and rounds move the battle, not the tournament.
  const live =
    tournament?.status === 'ongoing' && noResultsSince(row.lastDays, today) === undefined
      ? { address: pathTo(site, `/battles/${battle.id}`) }
      : undefined;
  const page: PageParts = {
    title: tournament === undefined ? between : `${between} · ${tournament.name}`,
    description: description(battle, sides, isPlaying),
    canonical: `/battles/${battle.id}`,
    // As the pages of players: it says what two people did on one day.
    isPrivate: true,
    hasScript: live !== undefined,
    main: html`<header class="title">
${whereFrom(site, battle, tournament, match, row.table)}
<h1>${name(first.player)} ${verb(first)} ${name(second.player)}</h1>
${drawn && verdict(sides, drawn)}
<p class="meta">${facts(battle, first, isPlaying)}</p>
</header>
${live && pulse}
<div class="columns two">
<section aria-labelledby="sides">
<h2 id="sides" class="vh">The two sides</h2>
${comparison(site, sides, drawn?.isByPoints)}
</section>
${rounds.curve}
</div>
${rounds.log}
<section aria-labelledby="lists">
<h2 id="lists">Army lists</h2>
${sides.some(({ list }) => list !== null) ? html`<div class="columns two">${sides.map(armyList)}</div>` : html`<p class="empty">No army list is on record.</p>`}
</section>`,
  };
  return livePage(site, page, live);
}

/** For previews of links: `39–32, Quarry Giants vs Tidebound Court`. */
function description(
  { date, scenario }: Omit<BattleDetail, 'url'>,
  sides: Sides,
  isPlaying: boolean,
): string {
  const [first, second] = sides;
  const armies = first.faction && second.faction && `${first.faction} vs ${second.faction}`;
  const rest = [
    first.outcome === null && openWords(isPlaying),
    scoreOf(sides),
    armies,
    scenario,
    date && daysInWords(date, null),
  ];
  return rest.filter(Boolean).join(', ');
}

type Sides = readonly [BattlePlayerDetail, BattlePlayerDetail];

/** `39–32`. Undefined while it is not known. */
function scoreOf(sides: Sides): string | undefined {
  const points = sides.map(({ victoryPoints }) => victoryPoints);
  return points.every((each) => each !== null)
    ? points.map((each) => number(each, decimalsOf(points))).join('–')
    : undefined;
}

/** Points of a game that goes on are not a result. */
const openWords = (isPlaying: boolean) => (isPlaying ? 'Playing' : 'No result yet');

/** Of a drawn match the organiser says who won. Where both have one name, nothing tells. */
function winnerFirst(players: BattlePlayerDetail[], match: BracketMatch | undefined): BattlePlayerDetail[] {
  const [first, second] = players;
  const isSecond =
    second?.outcome === 'win' ||
    (second?.outcome === 'draw' && match?.winner === second.player && first?.player !== second.player);
  return isSecond ? players.toReversed() : players;
}

function matchOf({ id }: Omit<BattleDetail, 'url'>, { bracket }: BattlePageRow): BracketMatch | undefined {
  const matches = bracket === null ? [] : (JSON.parse(bracket) as BracketStandings).data;
  return matches.find((each) => each.battle === id);
}

/** The sides stand with the winner first. */
function verdict(sides: Sides, { words }: DrawnWin): Html {
  const [{ player, outcome }] = sides;
  const score = scoreOf(sides);
  return html`<p>${score === undefined ? 'Drawn.' : `${score} on victory points.`} ${outcome === 'draw' && html`${name(player)} won the match. `}${words}.</p>`;
}

/** Between the two names: the winner stands first. */
function verb({ outcome }: BattlePlayerDetail): string {
  if (outcome === null) return 'vs';
  return outcome === 'draw' ? 'drew with' : 'beat';
}

/** The tournament, its stage and round, or that it was none. */
function whereFrom(
  site: SiteSettings,
  battle: Omit<BattleDetail, 'url'>,
  tournament: Omit<Tournament, 'url'> | undefined,
  match: BracketMatch | undefined,
  table: number | null,
): Html {
  if (tournament === undefined) return html`<p class="meta">Casual battle</p>`;
  const path = pathTo(site, `/tournaments/${tournament.slug}`);
  const stage = tournament.stages.find(({ id }) => id === battle.stage);
  const round = match === undefined ? `Round ${battle.round ?? 1}` : name(match.round);
  return html`<p class="meta"><a href="${path}">${name(tournament.name)}</a>${stage && html`<a href="${path}?stage=${stage.id}">${name(stage.name)}</a>`}<span>${round}</span>${table !== null && html`<span>Table ${number(table)}</span>`}</p>`;
}

function facts(
  battle: Omit<BattleDetail, 'url'>,
  { outcome }: BattlePlayerDetail,
  isPlaying: boolean,
): Html[] {
  const badge = () => {
    if (outcome === null) return openWords(isPlaying);
    if (outcome === 'draw') return 'Draw';
    if (battle.victorySize === null) return undefined;
    return battle.victorySize === 'major' ? 'Major win' : 'Minor win';
  };
  const words = badge();
  const shown: (Html | false)[] = [
    words !== undefined && html`<span class="badge">${words}</span>`,
    Boolean(battle.scenario) && html`<span>${name(battle.scenario ?? '')}</span>`,
    battle.date !== null && html`<span>${day(battle.date)}</span>`,
    html`<span>${number(battle.battleSize)} points</span>`,
    Boolean(battle.battlePack) && html`<span>${name(battle.battlePack ?? '')}</span>`,
  ];
  return shown.filter((each) => each !== false);
}

function armyList({ player, list }: { player: string; list: ArmyList | null }): Html {
  return html`
<section>
<h3>${name(player)}</h3>
${
  list === null
    ? html`<p class="empty">No list on record.</p>`
    : html`<p class="sub">${listFacts(list)}</p>
<pre class="list" lang="" dir="auto">${list.text}</pre>`
}
</section>`;
}

function listFacts({ faction, subFaction, points, battleTacticCards }: ArmyList): Html {
  const texts = [faction, subFaction].filter((text) => text !== '').map(name);
  const cards = battleTacticCards.length > 0 ? [name(battleTacticCards.join(', '))] : [];
  return joined([...texts, `${number(points)} points`, ...cards], ' · ');
}
