import type { BoardRow, BoardStandings, BracketStandings, Standings } from '../../contract/standings.ts';
import type { Stage } from '../../contract/tournament.ts';
import { html, type Html } from '../parts/html.ts';
import { type Asked, isFollowed, isRound, isSlug, type PageRoute } from '../page.ts';
import { board, type BoardMarks, rowsOf } from './board.ts';
import { battlesById, drawnBracket } from '../bracket/bracket.ts';
import { bracketOf, matchesOf, type Play } from '../bracket/tree.ts';
import { comers, withFactions } from '../now/comers.ts';
import { elsewhere } from './elsewhere.ts';
import { factionChart } from './factions.ts';
import { walkoverKey } from './match.ts';
import { name, person } from '../parts/names.ts';
import { type BoardOrder, orderOf } from './order.ts';
import { nowSections } from '../now/now.ts';
import { counted, record } from '../parts/numbers.ts';
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
    query: ['stage', 'round', 'player'],
    scope: ({ slug }) => `tournament:${slug}`,
    make: async (asked) => {
      const { params, query, read } = asked;
      if (!isSlug(params['slug']) || !isFollowed(query['player'])) return undefined;
      if (query['round'] !== undefined && !isRound(query['round'])) return undefined;
      const tags = revisionTags(site, path, asked);
      const values = [params['slug'], query['stage'] ?? null, tags.held, query['player'] ?? null];
      const [row] = await read<StandingsRow>(standingsOfPage, values, ([first]) =>
        first ? shownClub(first) : [],
      );
      if (row === undefined) return undefined;
      const tag = tags.tag(revisionsOf(row));
      const shared = sharedTags(site, path, asked).tag(revisionsOf(row));
      if (row.document === null) return { text: undefined, tag };
      const tournament = shownTournament(row, row.document, asked.today);
      const stage = tournament.stages.find(({ id }) => id === (query['stage'] ?? row.default_stage));
      if (query['stage'] !== undefined && stage === undefined) return undefined;
      return {
        text: tournamentFrame(site, tournament, standingsTab(site, tournament, stage, row, shared, query)),
        tag,
      };
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
): TournamentTab {
  const { player: followed } = query;
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
  const rows = isBoard(standings) ? standings.data : [];
  const play = JSON.parse(row.play ?? '{}') as Play;
  const now = isDefault ? nowSections(site, tournament, row, followed) : undefined;
  const aside = html`${about(site, tournament)}
${factionChart(play.factions ?? [])}
${downloads(site, tournament, stage?.id)}`;
  if (tournament.status === 'planned') {
    const people = withFactions(row.comers ?? [], rows);
    return { ...tab, tab: overview, main: besides(comers(site, tournament, people), aside) };
  }
  if (stage === undefined || standings === undefined) {
    return { ...tab, now, main: besides(html`<p class="empty">There are no standings yet.</p>`, aside) };
  }
  if (!isBoard(standings)) {
    return {
      ...tab,
      now,
      main: below(bracketSection(site, tournament, stage, standings, row, query), aside),
    };
  }
  if (stage.id === 'standings') tournament.champion = championOf(rows);
  const hasGroups = rows[0]?.group !== undefined;
  const players = `${tournament.path}/participants`;
  const order = orderOf(tournament.stages, stage, play, row.details);
  const marks = { ...marksOf(rows, row, play, order), followed, players };
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
function throughOf(rows: readonly BoardRow[], row: StandingsRow): BoardMarks['through'] {
  if (row.knockout === null) return new Set();
  const { data } = JSON.parse(row.knockout) as BracketStandings;
  const { matches = [] } = JSON.parse(row.knockout_play ?? '{}') as Play;
  const players = data.flatMap((match) => match.players);
  const playerIds = matches.flatMap((match) => match.playerIds);
  if (players.length !== playerIds.length) return new Set();
  const people = players.map((player, index) => ({ player, playerId: playerIds[index] ?? null }));
  return new Set(rowsOf(rows, people).keys());
}

export function marksOf(
  rows: readonly BoardRow[],
  row: StandingsRow,
  { dropped = [] }: Play,
  { playing = [] }: BoardOrder,
): Omit<BoardMarks, 'followed'> {
  return {
    through: throughOf(rows, row),
    dropped: new Set(dropped.flatMap((index) => rows[index] ?? [])),
    playing: new Map(playing.flatMap(([index, table]) => (rows[index] ? [[rows[index], table]] : []))),
  };
}

/** `knockout`: what the stage is called that they went through to. */
function boardSection(
  site: SiteSettings,
  stage: Stage,
  rows: readonly BoardRow[],
  marks: BoardMarks,
  order: BoardOrder,
  knockout: string,
): Html {
  const edge = marks.through.size > 0 && html`The coloured edge marks who went through to ${name(knockout)}.`;
  return html`<section aria-labelledby="board">
<h2 id="board">${name(stage.name)}</h2>
${edge && html`<p class="meta">${edge}</p>`}
${rows.length === 0 ? html`<p class="empty">Nobody is on this board yet.</p>` : board(site, rows, marks, order)}
</section>`;
}

function bracketSection(
  site: SiteSettings,
  tournament: ShownTournament,
  stage: Stage,
  { data }: BracketStandings,
  row: StandingsRow,
  query: Asked['query'],
): Html {
  const play = JSON.parse(row.play ?? '{}') as Play;
  const isPast = tournament.status === 'finished' || play.now?.length === 0;
  const bracket = bracketOf(data, play, stage.rounds ?? 0);
  const battles = battlesById(row.battles);
  const current = play.now?.[0]?.round ?? play.begun ?? 1;
  const turn = {
    round: isRound(query['round']) ? Number(query['round']) : current,
    addressOf: (round: number) =>
      addressOf(site, tournament.path, { ...query, stage: stage.id, round: String(round) }),
  };
  const facts = [
    stage.players !== undefined && stage.players > 0 && counted(stage.players, 'player'),
    stage.rounds !== undefined && counted(stage.rounds, 'round'),
  ].filter((fact) => fact !== false);
  const key =
    battles.size > 0 &&
    ` Numbers are victory points${matchesOf(bracket).some(({ isWalkover }) => isWalkover) ? walkoverKey : '.'}`;
  return html`<section aria-labelledby="bracket">
<h2 id="bracket">${name(stage.name)}</h2>
<p class="meta">${facts.join(', ')}${facts.length > 0 && '.'}${key}</p>
${data.length === 0 ? html`<p class="empty">The bracket is drawn when the rounds before it are over.</p>` : drawnBracket({ site, bracket, battles, isPast, followed: query['player'], turn })}
</section>`;
}

function podium(site: SiteSettings, { path }: ShownTournament, rows: readonly BoardRow[]): Html | undefined {
  const best = rows.slice(0, 3).filter(({ rank }) => rank !== null && rank <= 3);
  if (best.length === 0) return undefined;
  return html`<ol class="podium">${best.map(
    (row) => html`
<li><span class="place">${row.rank}<span class="vh">. </span></span>${person(site, row)}<span class="sub">${row.faction !== null && html`${name(row.faction)} · `}<span class="nb">${record(row)}</span></span>${row.player !== null && html`<a class="lst" href="${addressOf(site, `${path}/participants`, { name: row.player })}">List<span class="vh"> of ${name(row.player)}</span></a>`}</li>`,
  )}
</ol>`;
}
