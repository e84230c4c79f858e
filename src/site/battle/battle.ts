import type { ArmyList } from '../../contract/army-list.ts';
import type { BattleDetail, BattlePlayerDetail } from '../../contract/battle.ts';
import type { Tournament } from '../../contract/tournament.ts';
import type { BracketView, DrawnWin, MatchView, TournamentView } from '../../published/views.ts';
import { parseStored } from '../../read/page-address.ts';
import { Html, html, joined } from '../html.ts';
import { pastEvent } from '../../read/being-played.ts';
import { isId, type MadePage, type PageRoute } from '../page.ts';
import { comparison } from './comparison.ts';
import { crest, disc, hueOf } from '../parts/crest.ts';
import { clubShown } from '../parts/named-clubs.ts';
import { drawnSentence } from '../match/drawn.ts';
import { livePage, pulse } from '../parts/live.ts';
import { type Identity, sidesWithGuests } from '../parts/guests.ts';
import { name, participantLink } from '../parts/names.ts';
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
              ...clubShown(found.organizer, found.club),
            ]
          : [],
      );
      return row && battleText(site, row, today);
    },
  };
}

function battleText(site: SiteSettings, row: BattlePageRow, today: string): MadePage {
  const { words } = site;
  const t = words.battle;
  const battle = parseStored<BattleDetail>(row.document);
  const tournament = row.tournament === null ? undefined : parseStored<Tournament>(row.tournament);
  const match = matchOf(battle, row);
  const players = sidesWithGuests(site, battle.tournament, battle.players, row.entries);
  const won = players[1]?.outcome === 'win' ? 1 : 0;
  const winner = match?.isOverruled ? won : (match?.battleWinner ?? won);
  const [first, second] = winner === 1 ? players.toReversed() : players;
  if (first === undefined || second === undefined) throw new Error(`battle ${battle.id} has not two sides`);
  // An archived casual battle is in nobody's list, so its players may have no page.
  const linked = (side: ShownSide) => ({
    ...side,
    playerId: tournament !== undefined || row.players.includes(side.playerId ?? '') ? side.playerId : null,
  });
  const sides = [linked(first), linked(second)] as const;
  const drawn = match?.drawn;
  const isOver =
    tournament?.status === 'finished' ||
    (tournament?.status === 'ongoing' && pastEvent(row.lastDays, today) !== undefined);
  const state = isOver ? 'over' : first.victoryPoints === null ? 'open' : 'playing';
  const rounds = roundByRound(site, sides, first.outcome !== null);
  const between = `${first.player} ${t.versus} ${second.player}`;
  const isLive =
    tournament?.status === 'ongoing' &&
    pastEvent(row.lastDays, today) === undefined &&
    site.savedAt === undefined;
  const page: PageParts = {
    title: tournament === undefined ? between : `${between} · ${tournament.name}`,
    description: description(site, battle, sides, state),
    canonical: `/battles/${battle.id}`,
    // Private like the pages of players, because it says what two people did on one day.
    isPrivate: true,
    hasScript: isLive,
    hue: row.club === null ? undefined : hueOf(row.club.name),
    ...(tournament !== undefined && { event: `/tournaments/${tournament.slug}` }),
    main: html`<header class="banner top${row.club !== null && ` ${hueOf(row.club.name)}`}">
${whereFrom(site, tournament, row.club?.name)}
<h1>${t[sayingOf(first)](name(first.player), name(second.player))}</h1>
${drawn && verdict(site, sides, drawn)}
${match?.isOverruled && html`<p class="state">${t.wonMatch(name(second.player))} ${t.byOrganiser}.</p>`}
<p class="facts">${facts(site, battle, tournament, row, match, first, state)}</p>
</header>
${isLive && pulse}
${duel(site, sides)}
<div class="cols">
${rounds.curve}
${rounds.log}
</div>
${comparison(site, sides, drawn?.isByPoints)}
<section class="sec" aria-labelledby="lists">
<h2 id="lists">${t.armyLists}</h2>
${sides.some(({ list }) => list !== null) ? html`<div class="cols">${sides.map((side) => armyList(site, side))}</div>` : html`<p class="empty">${t.noLists}</p>`}
</section>`,
  };
  return livePage(site, page, isLive);
}

/** Draws the two players and their factions around the score. */
function duel(site: SiteSettings, sides: Sides): Html {
  const { words } = site;
  const t = words.battle;
  const side = (each: ShownSide, isLoser: boolean) =>
    html`<div${isLoser && html` class="lost"`}>${each.faction && crest(each.faction)}${participantLink(site, each)}${[each.faction, each.subFaction].map((text) => text && html`<span class="sub clamp">${name(text)}</span>`)}</div>`;
  const [first, second] = sides;
  const isWon = first.outcome === 'win';
  const [one = '–', other = '–'] = scoresOf(words, sides);
  return html`<section class="duel" aria-labelledby="sides">
<h2 id="sides" class="vh">${t.sides}</h2>
${side(first, false)}
<p><span class="vh">${t.victoryPoints}: </span>${one}<span${isWon && html` class="less"`}>–${other}</span></p>
${side(second, isWon)}
</section>`;
}

/** Returns the text for link previews: `39–32, Quarry Giants vs Tidebound Court`. */
function description(
  { words }: SiteSettings,
  { date, scenario }: Omit<BattleDetail, 'url'>,
  sides: Sides,
  state: StateWithoutResult,
): string {
  const [first, second] = sides;
  const armies =
    first.faction && second.faction && `${first.faction} ${words.battle.versus} ${second.faction}`;
  const rest = [
    first.outcome === null && withoutResult(words, state),
    scoreOf(words, sides),
    armies,
    scenario,
    date && words.daysInWords(date, null),
  ];
  return rest.filter(Boolean).join(', ');
}

/** The points of a battle that is still being played are not a result. */
type StateWithoutResult = 'over' | 'open' | 'playing';

function withoutResult({ battle, rounds }: Words, state: StateWithoutResult): string {
  return { over: rounds.missing, open: battle.noResult, playing: battle.playing }[state];
}

type ShownSide = BattlePlayerDetail & Pick<Identity, 'guest'>;
type Sides = readonly [ShownSide, ShownSide];

/** Returns the score as `39–32`, or undefined until both sides have victory points. */
function scoreOf(words: Words, sides: Sides): string | undefined {
  const isKnown = sides.every(({ victoryPoints }) => victoryPoints !== null);
  return isKnown ? scoresOf(words, sides).join('–') : undefined;
}

function scoresOf({ number }: Words, sides: Sides): (string | undefined)[] {
  const decimals = decimalsOf(sides.map(({ victoryPoints }) => victoryPoints ?? 0));
  return sides.map(({ victoryPoints }) =>
    victoryPoints === null ? undefined : number(victoryPoints, decimals),
  );
}

function matchOf({ id }: Omit<BattleDetail, 'url'>, { bracket }: BattlePageRow): MatchView | undefined {
  const matches = bracket === null ? [] : (JSON.parse(bracket) as BracketView).matches;
  return matches.find((each) => each.battle === id);
}

/**
 * Explains why a battle that was drawn, or even on victory points, has a winner. Expects the winner as the
 * first side.
 */
function verdict({ words }: SiteSettings, sides: Sides, drawn: DrawnWin): Html {
  const t = words.battle;
  const [{ player, outcome }] = sides;
  const score = scoreOf(words, sides);
  return html`<p class="state">${score === undefined ? t.drawn : t.onVictoryPoints(score)} ${outcome === 'draw' && html`${t.wonMatch(name(player))} `}${drawnSentence(words, drawn)}.</p>`;
}

/** Returns the message that joins the two names. The winner comes first. */
function sayingOf({ outcome }: BattlePlayerDetail): 'against' | 'drewWith' | 'beat' {
  if (outcome === null) return 'against';
  return outcome === 'draw' ? 'drewWith' : 'beat';
}

/** Names the tournament and its club, or says that the battle was casual. */
function whereFrom(
  site: SiteSettings,
  tournament: Omit<Tournament, 'url'> | undefined,
  club: string | undefined,
): Html {
  if (tournament === undefined) return html`<p class="by">${site.words.battles.casual}</p>`;
  return html`<p class="by">${club !== undefined && disc(club)}<a href="${pathTo(site, `/tournaments/${tournament.slug}`)}">${name(tournament.name)}</a></p>`;
}

/** Returns the status, the stage, the round and the table, and then what was played. */
function facts(
  site: SiteSettings,
  battle: Omit<BattleDetail, 'url'>,
  tournament: Omit<Tournament, 'url'> | undefined,
  { view, table }: BattlePageRow,
  match: MatchView | undefined,
  { outcome }: BattlePlayerDetail,
  state: StateWithoutResult,
): Html[] {
  const { words } = site;
  const t = words.battle;
  const badge = () => {
    if (outcome === null) return withoutResult(words, state);
    if (outcome === 'draw') return t.draw;
    if (battle.victorySize === null) return undefined;
    return battle.victorySize === 'major' ? t.majorWin : t.minorWin;
  };
  const status = badge();
  const { stages } = JSON.parse(view ?? '{"stages":[]}') as TournamentView;
  const stage = tournament?.stages.find(({ id }) => id === battle.stage);
  const round =
    match === undefined ? words.rounds.round(battle.round ?? 1) : name(matchName(words, match.title));
  const shown = [
    status !== undefined && html`<span class="badge">${status}</span>`,
    tournament !== undefined &&
      stage !== undefined &&
      html`<a href="${pathTo(site, `/tournaments/${tournament.slug}`)}?stage=${stage.id}">${name(stageName(words, stage, stages))}</a>`,
    tournament !== undefined && html`<span>${round}</span>`,
    table !== null && html`<span>${words.rounds.table(table)}</span>`,
    battle.scenario && html`<span>${name(battle.scenario)}</span>`,
    battle.date !== null && html`<span>${words.day(battle.date)}</span>`,
    html`<span>${words.points(battle.battleSize)}</span>`,
    battle.battlePack && html`<span>${name(battle.battlePack)}</span>`,
  ];
  return shown.flatMap((each) => (each instanceof Html ? [each] : []));
}

function armyList({ words }: SiteSettings, { player, list }: BattlePlayerDetail): Html {
  return html`
<section>
<h3>${list !== null && crest(list.faction)}${name(player)}</h3>
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
