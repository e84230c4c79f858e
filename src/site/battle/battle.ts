import type { ArmyList } from '../../contract/army-list.ts';
import type { BattleDetail, BattlePlayerDetail } from '../../contract/battle.ts';
import type { BracketMatch, BracketStandings } from '../../contract/standings.ts';
import type { Tournament } from '../../contract/tournament.ts';
import { parseStored } from '../../read/page-address.ts';
import { html, joined, type Html } from '../parts/html.ts';
import { noResultsSince } from '../../read/old-event.ts';
import { isId, type MadePage, type PageRoute } from '../page.ts';
import { comparison } from './comparison.ts';
import { type DrawnWin, drawnWin, sentenceOf } from '../parts/drawn.ts';
import { livePage, pulse } from '../now/live.ts';
import { sidesWithGuests } from '../parts/guests.ts';
import { type Identity, name } from '../parts/names.ts';
import { decimalsOf } from '../parts/numbers.ts';
import { roundByRound } from './round-by-round.ts';
import { type PageParts, pathTo, type SiteSettings } from '../site-settings.ts';
import type { Words } from '../words/en.ts';
import { matchName, stageName } from '../words/stored.ts';
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
  const { words } = site;
  const said = words.battle;
  const battle = parseStored<BattleDetail>(row.document);
  const tournament = row.tournament === null ? undefined : parseStored<Tournament>(row.tournament);
  const match = matchOf(battle, row);
  const players = sidesWithGuests(site, battle.tournament, battle.players, row.entries);
  const [first, second] = winnerFirst(players, match);
  if (first === undefined || second === undefined) throw new Error(`battle ${battle.id} has not two sides`);
  // Of a casual battle that was archived, a side may have no page.
  const linked = (side: ShownSide) => ({
    ...side,
    playerId: tournament !== undefined || row.players.includes(side.playerId ?? '') ? side.playerId : null,
  });
  const sides = [linked(first), linked(second)] as const;
  const drawn = match?.winner === first.player ? drawnWin(first, second) : undefined;
  const isPlaying = first.victoryPoints !== null && tournament?.status !== 'finished';
  const rounds = roundByRound(site, sides, first.outcome !== null);
  const between = `${first.player} ${said.versus} ${second.player}`;
  // The page asks for itself: lists and rounds move the battle, not the tournament.
  const live =
    tournament?.status === 'ongoing' &&
    noResultsSince(row.lastDays, today) === undefined &&
    site.savedAt === undefined
      ? { address: pathTo(site, `/battles/${battle.id}`) }
      : undefined;
  const page: PageParts = {
    title: tournament === undefined ? between : `${between} · ${tournament.name}`,
    description: description(site, battle, sides, isPlaying),
    canonical: `/battles/${battle.id}`,
    // As the pages of players: it says what two people did on one day.
    isPrivate: true,
    hasScript: live !== undefined,
    main: html`<header class="title">
${whereFrom(site, battle, tournament, match, row.table)}
<h1>${said[sayingOf(first)](name(first.player), name(second.player))}</h1>
${drawn && verdict(site, sides, drawn)}
<p class="meta">${facts(site, battle, first, isPlaying)}</p>
</header>
${live && pulse}
<div class="columns two">
<section aria-labelledby="sides">
<h2 id="sides" class="vh">${said.sides}</h2>
${comparison(site, sides, drawn?.isByPoints)}
</section>
${rounds.curve}
</div>
${rounds.log}
<section aria-labelledby="lists">
<h2 id="lists">${said.armyLists}</h2>
${sides.some(({ list }) => list !== null) ? html`<div class="columns two">${sides.map((side) => armyList(site, side))}</div>` : html`<p class="empty">${said.noLists}</p>`}
</section>`,
  };
  return livePage(site, page, live);
}

/** For previews of links: `39–32, Quarry Giants vs Tidebound Court`. */
function description(
  { words }: SiteSettings,
  { date, scenario }: Omit<BattleDetail, 'url'>,
  sides: Sides,
  isPlaying: boolean,
): string {
  const [first, second] = sides;
  const armies =
    first.faction && second.faction && `${first.faction} ${words.battle.versus} ${second.faction}`;
  const rest = [
    first.outcome === null && words.battle[isPlaying ? 'playing' : 'noResult'],
    scoreOf(words, sides),
    armies,
    scenario,
    date && words.daysInWords(date, null),
  ];
  return rest.filter(Boolean).join(', ');
}

type ShownSide = BattlePlayerDetail & Pick<Identity, 'guest'>;
type Sides = readonly [ShownSide, ShownSide];

/** `39–32`. Undefined while it is not known. */
function scoreOf({ number }: Words, sides: Sides): string | undefined {
  const points = sides.map(({ victoryPoints }) => victoryPoints);
  return points.every((each) => each !== null)
    ? points.map((each) => number(each, decimalsOf(points))).join('–')
    : undefined;
}

/** Of a drawn match the organiser says who won. Where both have one name, nothing tells. */
function winnerFirst(players: ShownSide[], match: BracketMatch | undefined): ShownSide[] {
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
function verdict({ words }: SiteSettings, sides: Sides, drawn: DrawnWin): Html {
  const said = words.battle;
  const [{ player, outcome }] = sides;
  const score = scoreOf(words, sides);
  return html`<p>${score === undefined ? said.drawn : said.onVictoryPoints(score)} ${outcome === 'draw' && html`${said.wonMatch(name(player))} `}${sentenceOf(words, drawn)}.</p>`;
}

/** How the two names are joined: the winner stands first. */
function sayingOf({ outcome }: BattlePlayerDetail): 'against' | 'drewWith' | 'beat' {
  if (outcome === null) return 'against';
  return outcome === 'draw' ? 'drewWith' : 'beat';
}

/** The tournament, its stage and round, or that it was none. */
function whereFrom(
  site: SiteSettings,
  battle: Omit<BattleDetail, 'url'>,
  tournament: Omit<Tournament, 'url'> | undefined,
  match: BracketMatch | undefined,
  table: number | null,
): Html {
  const { words } = site;
  if (tournament === undefined) return html`<p class="meta">${words.battles.casual}</p>`;
  const path = pathTo(site, `/tournaments/${tournament.slug}`);
  const stage = tournament.stages.find(({ id }) => id === battle.stage);
  const round =
    match === undefined ? words.rounds.round(battle.round ?? 1) : name(matchName(words, match.round));
  return html`<p class="meta"><a href="${path}">${name(tournament.name)}</a>${stage && html`<a href="${path}?stage=${stage.id}">${name(stageName(words, stage.name))}</a>`}<span>${round}</span>${table !== null && html`<span>${words.rounds.table(table)}</span>`}</p>`;
}

function facts(
  { words }: SiteSettings,
  battle: Omit<BattleDetail, 'url'>,
  { outcome }: BattlePlayerDetail,
  isPlaying: boolean,
): Html[] {
  const said = words.battle;
  const badge = () => {
    // Points of a game that goes on are not a result.
    if (outcome === null) return isPlaying ? said.playing : said.noResult;
    if (outcome === 'draw') return said.draw;
    if (battle.victorySize === null) return undefined;
    return battle.victorySize === 'major' ? said.majorWin : said.minorWin;
  };
  const status = badge();
  const shown: (Html | false)[] = [
    status !== undefined && html`<span class="badge">${status}</span>`,
    Boolean(battle.scenario) && html`<span>${name(battle.scenario ?? '')}</span>`,
    battle.date !== null && html`<span>${words.day(battle.date)}</span>`,
    html`<span>${words.points(battle.battleSize)}</span>`,
    Boolean(battle.battlePack) && html`<span>${name(battle.battlePack ?? '')}</span>`,
  ];
  return shown.filter((each) => each !== false);
}

function armyList({ words }: SiteSettings, { player, list }: BattlePlayerDetail): Html {
  return html`
<section>
<h3>${name(player)}</h3>
${
  list === null
    ? html`<p class="empty">${words.battle.noList}</p>`
    : html`<p class="sub">${listFacts(words, list)}</p>
<pre class="list" lang="" dir="auto">${list.text}</pre>`
}
</section>`;
}

function listFacts(words: Words, { faction, subFaction, points, battleTacticCards }: ArmyList): Html {
  const texts = [faction, subFaction].filter((text) => text !== '').map(name);
  const cards = battleTacticCards.length > 0 ? [name(battleTacticCards.join(', '))] : [];
  return joined([...texts, words.points(points), ...cards], ' · ');
}
