import type { BoardStandings, BracketStandings, Standings } from '../../contract/standings.ts';
import type { Stage } from '../../contract/tournament.ts';
import { html, type Html } from '../parts/html.ts';
import {
  areFollowParameters,
  type Asked,
  followedIn,
  followParameters,
  isRound,
  isSlug,
  type PageRoute,
} from '../page.ts';
import { board, type BoardMarks, rowsOf, type ShownRow } from './board.ts';
import { battlesById, drawnBracket } from '../bracket/bracket.ts';
import { bracketOf, matchesOf, type Play } from '../bracket/tree.ts';
import { comers, withFactions } from '../now/comers.ts';
import { elsewhere } from './elsewhere.ts';
import { factionChart } from './factions.ts';
import { guestsIn, withGuests } from '../parts/guests.ts';
import { name, person } from '../parts/names.ts';
import { type BoardOrder, orderOf } from './order.ts';
import { nowSections } from '../now/now.ts';
import { record } from '../parts/numbers.ts';
import { addressOf } from '../parts/pager.ts';
import { downloads } from './downloads.ts';
import {
  about,
  championOf,
  overview,
  revisionsOf,
  shownClub,
  shownTournament,
  type ShownTournament,
  tournamentFrame,
  type TournamentTab,
} from './tournament-frame.ts';
import { revisionTags, sharedTags } from '../parts/revision-tag.ts';
import type { SiteSettings } from '../site-settings.ts';
import { standingsOfPage, type StandingsRow } from './statements.ts';

/** The standings: of the default stage, or of the stage that the query names. */
export function tournamentPage(site: SiteSettings): PageRoute {
  const path = '/tournaments/:slug';
  return {
    path,
    query: ['stage', 'round', ...followParameters(site)],
    scope: ({ slug }) => `tournament:${slug}`,
    make: async (asked) => {
      const { params, query, read } = asked;
      if (!isSlug(params['slug']) || !areFollowParameters(query)) return undefined;
      if (query['round'] !== undefined && !isRound(query['round'])) return undefined;
      const tags = revisionTags(site, path, asked);
      const asks = followedIn(params['slug'], query);
      const values = [params['slug'], query['stage'] ?? null, tags.held, asks ?? null];
      const [row] = await read<StandingsRow>(standingsOfPage, values, ([first]) =>
        first ? shownClub(first) : [],
      );
      if (row === undefined) return undefined;
      const tag = tags.tag(revisionsOf(row));
      const shared = sharedTags(site, path, asked).tag(revisionsOf(row));
      if (row.document === null) return { text: undefined, tag };
      const tournament = shownTournament(site, row, row.document, asked.today);
      const stage = tournament.stages.find(({ id }) => id === (query['stage'] ?? row.default_stage));
      if (query['stage'] !== undefined && stage === undefined) return undefined;
      const followed = row.followed?.playerId ?? asks;
      const tab = standingsTab(site, tournament, stage, row, shared, query, followed);
      return { text: tournamentFrame(site, tournament, tab), tag };
    },
  };
}

function standingsTab(
  site: SiteSettings,
  tournament: ShownTournament,
  stage: Stage | undefined,
  row: StandingsRow,
  tag: string,
  query: Asked['query'],
  followed: string | undefined,
): TournamentTab {
  // Before it begins, all stages show who signed up.
  const isDefault =
    stage === undefined || stage.id === tournament.defaultStage || tournament.status === 'planned';
  const standings = row.standings === null ? undefined : (JSON.parse(row.standings) as Standings);
  const canonical = isDefault ? tournament.path : `${tournament.path}?stage=${encodeURIComponent(stage.id)}`;
  const tab = {
    tab: stage?.id ?? overview,
    title: isDefault ? undefined : stage.name,
    canonical,
    live: { revision: row.revision, tag },
    followed,
    hint: elsewhere(site, tournament, tournament.path, followed, row.followed, stage?.id),
  };
  const guests = guestsIn(site, tournament.slug, row.details);
  const rows = isBoard(standings) ? withGuests(standings.data, guests.rows) : [];
  const play = JSON.parse(row.play ?? '{}') as Play;
  const now = isDefault ? nowSections(site, tournament, row, followed) : undefined;
  const aside = html`${about(site, tournament)}
${factionChart(site, play.factions ?? [])}
${downloads(site, tournament, stage?.id)}`;
  if (tournament.status === 'planned') {
    const people = withFactions(site, tournament.slug, row.comers ?? [], rows);
    return { ...tab, tab: overview, main: besides(comers(site, tournament, people), aside) };
  }
  if (stage === undefined || standings === undefined) {
    return { ...tab, now, main: besides(html`<p class="empty">${site.words.event.noStandings}</p>`, aside) };
  }
  if (!isBoard(standings)) {
    return {
      ...tab,
      now,
      main: below(bracketSection(site, tournament, stage, standings, row, query, followed), aside),
    };
  }
  if (stage.id === 'standings') tournament.champion = championOf(rows);
  const hasGroups = rows[0]?.group !== undefined;
  const players = `${tournament.path}/participants`;
  const order = orderOf(site.words, tournament.stages, stage, play, row.details);
  const marks = { ...marksOf(site, tournament.slug, rows, row, play, order), followed, players };
  const knockout = tournament.stages.find(({ id }) => id === 'knockout')?.name ?? '';
  const section = boardSection(site, stage, rows, marks, order, knockout);
  return {
    ...tab,
    podium: stage.id === 'standings' ? podium(site, tournament, rows) : undefined,
    now,
    main: (hasGroups ? below : besides)(section, aside),
  };
}

export function isBoard(standings: Standings | undefined): standings is BoardStandings {
  return standings?.stage.type === 'board';
}

const besides = (section: Html, aside: Html) => html`<div class="columns aside">
${section}
<aside>
${aside}
</aside>
</div>`;

/** For what needs the whole width. */
const below = (section: Html, aside: Html) => html`${section}
<aside class="two">
${aside}
</aside>`;

/** The rows of those who went through to the knockout. */
function throughOf(
  site: SiteSettings,
  slug: string,
  rows: readonly ShownRow[],
  row: StandingsRow,
): BoardMarks['through'] {
  if (row.knockout === null) return new Set();
  const { data } = JSON.parse(row.knockout) as BracketStandings;
  const { matches = [] } = JSON.parse(row.knockout_play ?? '{}') as Play;
  const players = data.flatMap((match) => match.players);
  const playerIds = matches.flatMap((match) => match.playerIds);
  if (players.length !== playerIds.length) return new Set();
  const guests = guestsIn(site, slug, row.knockout_details).matches.flatMap((match) => match.players);
  const people = players.map((player, index) => ({
    player,
    playerId: playerIds[index],
    guest: guests[index],
  }));
  return new Set(rowsOf(rows, people).keys());
}

export function marksOf(
  site: SiteSettings,
  slug: string,
  rows: readonly ShownRow[],
  row: StandingsRow,
  { dropped = [] }: Play,
  { playing = [] }: BoardOrder,
): Omit<BoardMarks, 'followed'> {
  return {
    through: throughOf(site, slug, rows, row),
    dropped: new Set(dropped.flatMap((index) => rows[index] ?? [])),
    playing: new Map(playing.flatMap(([index, table]) => (rows[index] ? [[rows[index], table]] : []))),
  };
}

/** `knockout`: what the stage is called that they went through to. */
function boardSection(
  site: SiteSettings,
  stage: Stage,
  rows: readonly ShownRow[],
  marks: BoardMarks,
  order: BoardOrder,
  knockout: string,
): Html {
  const said = site.words.board;
  const edge = marks.through.size > 0 && said.edge(name(knockout));
  return html`<section aria-labelledby="board">
<h2 id="board">${name(stage.name)}</h2>
${edge && html`<p class="meta">${edge}</p>`}
${rows.length === 0 ? html`<p class="empty">${said.nobody}</p>` : board(site, rows, marks, order)}
</section>`;
}

function bracketSection(
  site: SiteSettings,
  tournament: ShownTournament,
  stage: Stage,
  { data }: BracketStandings,
  row: StandingsRow,
  query: Asked['query'],
  followed: string | undefined,
): Html {
  const play = JSON.parse(row.play ?? '{}') as Play;
  const isPast = tournament.status === 'finished' || play.now?.length === 0;
  const bracket = bracketOf(data, play, stage.rounds ?? 0, guestsIn(site, tournament.slug, row.details));
  const battles = battlesById(site, row.battles);
  const current = play.now?.[0]?.round ?? play.begun ?? 1;
  const turn = {
    round: isRound(query['round']) ? Number(query['round']) : current,
    addressOf: (round: number) =>
      addressOf(site, tournament.path, { ...query, stage: stage.id, round: String(round) }),
  };
  const { words } = site;
  const said = words.match;
  const facts = [
    stage.players !== undefined && stage.players > 0 && words.players(stage.players),
    stage.rounds !== undefined && words.event.rounds(stage.rounds),
  ].filter((fact) => fact !== false);
  const key =
    battles.size > 0 &&
    ` ${matchesOf(bracket).some(({ isWalkover }) => isWalkover) ? said.numbersAndWalkovers : said.numbers}`;
  return html`<section aria-labelledby="bracket">
<h2 id="bracket">${name(stage.name)}</h2>
<p class="meta">${facts.join(', ')}${facts.length > 0 && '.'}${key}</p>
${data.length === 0 ? html`<p class="empty">${said.notDrawn}</p>` : drawnBracket({ site, bracket, battles, isPast, followed, turn })}
</section>`;
}

function podium(site: SiteSettings, { path }: ShownTournament, rows: readonly ShownRow[]): Html | undefined {
  const best = rows.slice(0, 3).filter(({ rank }) => rank !== null && rank <= 3);
  if (best.length === 0) return undefined;
  return html`<ol class="podium">${best.map(
    (row) => html`
<li><span class="place">${row.rank}<span class="vh">. </span></span>${person(site, row)}<span class="sub">${row.faction !== null && html`${name(row.faction)} · `}<span class="nb">${record(row)}</span></span>${row.player !== null && html`<a class="lst" href="${addressOf(site, `${path}/participants`, { name: row.player })}">${site.words.event.list}<span class="vh"> ${site.words.event.listOf(name(row.player))}</span></a>`}</li>`,
  )}
</ol>`;
}
