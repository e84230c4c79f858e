import type { Stage } from '../../contract/tournament.ts';
import { areApart, isInCurrentRound } from '../parts/current-round.ts';
import { type BattleView, type BoardView, type BracketView, standingsView } from '../../published/views.ts';
import { boardProgress } from '../tournament-parts/board-progress.ts';
import { crest } from '../parts/crest.ts';
import { html, type Html } from '../html.ts';
import { pathDots } from '../parts/path.ts';
import { type PageRequest, isRound, isSlug, type PageRoute } from '../page.ts';
import {
  beside,
  board,
  type BoardMarks,
  boardSize,
  type ShownRow,
  shownRows,
} from '../tournament-parts/board.ts';
import { bracketMatch, drawnBracket } from '../bracket/bracket.ts';
import { card, shortCard } from '../match/card.ts';
import { battleBox } from '../match/pairing.ts';
import { signUpsOf } from '../tournament-parts/sign-ups.ts';
import { signUpsSection } from './sign-ups.ts';
import { factionChart } from './factions.ts';
import { name, participantLink } from '../parts/names.ts';
import { type BoardOrder, orderOf } from '../tournament-parts/order.ts';
import { nowSections } from '../tournament-parts/now.ts';
import { addressOf, afterOf, pageSteps, withQuery } from '../parts/pager.ts';
import { downloads } from './downloads.ts';
import {
  about,
  overview,
  revisionsOf,
  shownClub,
  shownTournament,
  type ShownTournament,
  tournamentFrame,
  type TournamentTab,
  shownBracket,
} from '../tournament-parts/tournament-frame.ts';
import { revisionTags } from '../parts/revision-tag.ts';
import { shownRank } from '../parts/shown-rank.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import type { Words } from '../words/en.ts';
import { matchName } from '../words/stored.ts';
import { standingsOfPage, type StandingsRow } from '../tournament-parts/statements.ts';
import { asksForSomebody, whosePage, whosePageParameters } from '../tournament-parts/whose-page.ts';

/** Shows the standings of the default stage, or of the stage that the query names. */
export function tournamentPage(site: SiteSettings): PageRoute {
  const path = '/tournaments/:slug';
  return {
    path,
    query: ['stage', 'round', 'after', ...whosePageParameters],
    scope: ({ slug }) => `tournament:${slug}`,
    make: async (asked) => {
      const { params, query, read } = asked;
      if (!isSlug(params['slug'])) return undefined;
      if (query['round'] !== undefined && !isRound(query['round'])) return undefined;
      const after = afterOf(query['after'], boardSize);
      if (after === undefined) return undefined;
      if (asksForSomebody(query)) return whosePage(site, asked);
      const tags = revisionTags(site, path, asked);
      const values = [params['slug'], query['stage'] ?? null, tags.held];
      const [row] = await read<StandingsRow>(standingsOfPage, values, ([first]) =>
        first ? shownClub(first) : [],
      );
      if (row === undefined) return undefined;
      const tag = tags.tag(revisionsOf(row));
      if (row.document === null) return { text: undefined, tag };
      const tournament = shownTournament(site, row, row.document, asked.today);
      const stage = tournament.stages.find(({ id }) => id === (query['stage'] ?? row.default_stage));
      if (query['stage'] !== undefined && stage === undefined) return undefined;
      const tab = standingsTab(site, tournament, stage, row, tag, query);
      if (tab === undefined) return undefined;
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
  query: PageRequest['query'],
): TournamentTab | undefined {
  // Before the tournament begins, all stages show who signed up.
  const isDefault =
    stage === undefined || stage.id === tournament.defaultStage || tournament.status === 'planned';
  const view = row.view === null ? undefined : standingsView(row.standings ?? '', row.view);
  const canonical = withQuery(tournament.path, {
    stage: isDefault ? undefined : stage.id,
    after: query['after'],
  });
  const tab = {
    tab: stage?.id ?? overview,
    title: isDefault ? undefined : stage.name,
    canonical,
    live: tag,
  };
  const rows = view?.type === 'board' ? shownRows(site, tournament, view) : [];
  const after = afterOf(query['after'], boardSize) ?? 0;
  if (after > 0 && after >= rows.length) return undefined;
  const now = isDefault ? nowSections(site, tournament) : undefined;
  const aside = html`${justIn(site, tournament)}
${about(site, tournament)}
${factionChart(site, view?.factions ?? [])}
${downloads(site, tournament, stage?.id)}`;
  if (tournament.status === 'planned') {
    const people = signUpsOf(site, tournament.slug, row.signUps ?? [], rows);
    return { ...tab, tab: overview, main: besides(signUpsSection(site, tournament, people), aside) };
  }
  if (stage === undefined || view === undefined) {
    return { ...tab, now, main: besides(html`<p class="empty">${site.words.event.noStandings}</p>`, aside) };
  }
  if (view.type === 'bracket') {
    return {
      ...tab,
      now,
      main: below(bracketSection(site, tournament, stage, shownBracket(tournament, view), query), aside),
    };
  }
  const hasGroups = rows[0]?.group !== undefined;
  const order = orderOf(site.words, tournament.stages, stage, view);
  const progress = progressOf(site.words, tournament, stage, view);
  const marks = {
    isRunning: tournament.status === 'ongoing',
    rounds: stage.rounds ?? 0,
    after,
    movedSince: view.movedSince,
    besideGroup: progress.ofGroup,
  };
  const knockout = tournament.stages.find(({ id }) => id === 'knockout')?.name ?? '';
  const pages = pageSteps(
    { count: rows.length, size: boardSize, after },
    (start) =>
      `${addressOf(site, tournament.path, { ...query, after: start === 0 ? undefined : String(start) })}#board`,
    site.words.participants.pages,
  );
  const section = boardSection(site, stage, rows, marks, order, {
    knockout,
    progress: beside(progress.ofStage, progress.longest),
    pages,
  });
  return {
    ...tab,
    podium: stage.id === 'standings' ? podium(site, tournament, rows) : undefined,
    now,
    main: (hasGroups ? below : besides)(section, aside),
  };
}

const besides = (section: Html, aside: Html) => html`${section}
<aside class="rail">
${aside}
</aside>`;

/** Puts the other parts below a section that needs the whole width. */
const below = (section: Html, aside: Html) => html`${section}
<aside class="two">
${aside}
</aside>`;

/**
 * Draws the section of the board. `knockout` is the name of the stage that participants went through to,
 * `progress` says which rounds the board is about.
 */
function boardSection(
  site: SiteSettings,
  stage: Stage,
  rows: readonly ShownRow[],
  marks: BoardMarks,
  order: BoardOrder,
  { knockout, progress, pages }: { knockout: string; progress: Html; pages: Html | undefined },
): Html {
  const t = site.words.board;
  const edge = rows.some(({ isThrough }) => isThrough) && t.edge(name(knockout));
  return html`<section class="standings" aria-labelledby="board">
<div class="h2row"><h2 id="board">${name(stage.name)}</h2>${progress}</div>
${edge && html`<p class="sub">${edge}</p>`}
${
  rows.length === 0
    ? html`<p class="empty">${t.nobody}</p>`
    : html`${board(site, rows, marks, order)}
${pages}`
}
</section>`;
}

function bracketSection(
  site: SiteSettings,
  tournament: ShownTournament,
  stage: Stage,
  bracket: BracketView,
  query: PageRequest['query'],
): Html {
  const turn = {
    round: isRound(query['round']) ? Number(query['round']) : bracket.round,
    addressOf: (round: number) =>
      addressOf(site, tournament.path, { ...query, stage: stage.id, round: String(round) }),
  };
  const { words } = site;
  const t = words.match;
  const facts = [
    stage.players !== undefined && stage.players > 0 && words.players(stage.players),
    stage.rounds !== undefined && words.event.rounds(stage.rounds),
  ].filter((fact) => fact !== false);
  const key =
    bracket.hasBattles &&
    ` ${bracket.matches.some(({ isWalkover }) => isWalkover) ? t.numbersAndWalkovers : t.numbers}`;
  return html`<section aria-labelledby="bracket">
<h2 id="bracket">${name(stage.name)}</h2>
<p class="meta">${facts.join(', ')}${facts.length > 0 && '.'}${key}</p>
${bracket.matches.length === 0 ? html`<p class="empty">${tournament.stages[0]?.id === stage.id ? words.rounds.noneBegun : t.notDrawn}</p>` : drawnBracket({ site, slug: tournament.slug, bracket, turn })}
</section>`;
}

/** Says which results the board counts, for the whole stage and for each of its groups. */
function progressOf(
  words: Words,
  { playing, played, isRunning }: ShownTournament,
  { id, rounds = 1 }: Stage,
  { rankingAsOf }: BoardView,
): { ofStage: string; longest: string | undefined; ofGroup: BoardMarks['besideGroup'] } {
  const t = words.rounds;
  const now = playing?.find((each) => each.stage === id)?.now ?? [];
  const own = played.find((each) => each.id === id);
  const ofGroup = (group: string) => {
    const round = now.find((each) => each.group === group);
    if (round === undefined) return undefined;
    const results = round.expected ? [t.resultsOfIn(round.results, round.expected)] : [];
    return [...(areApart(now) ? [t.round(round.round)] : []), ...results].join(' · ');
  };
  return {
    ofStage: rankingAsOf === undefined && own ? boardProgress(words, now, own) : '',
    longest: rankingAsOf === undefined && isRunning ? t.provisional(rounds) : undefined,
    ofGroup: now[0]?.group === undefined ? undefined : ofGroup,
  };
}

const maxJustIn = 3;

/** Shows the results that arrived last, with their time. */
function justIn(
  site: SiteSettings,
  { isRunning, latest, playing, slug, today }: ShownTournament,
): Html | false {
  const { words } = site;
  // The round is named if it is not the current one, in which other players are at the same table. The time of
  // another day is too long to stand under the number.
  const caption = (battle: BattleView, arrived: string) =>
    html`${!isInCurrentRound(battle, playing) && html`<span class="past-round">${words.now.shortRound(battle.round)} </span>`}${words.clock(new Date(arrived), today)}`;
  return (
    isRunning &&
    latest.length > 0 &&
    html`<section aria-labelledby="latest">
<h2 id="latest">${words.now.justIn}</h2>
<ol class="stack">${latest.slice(0, maxJustIn).map(
      ({ arrived, ...battle }) => html`
<li>${shortCard(words, battleBox(site, slug, battle), undefined, caption(battle, arrived))}</li>`,
    )}
</ol>
</section>`
  );
}

/** Draws the first three, and the final that made the winner. */
function podium(
  site: SiteSettings,
  { slug, final }: ShownTournament,
  rows: readonly ShownRow[],
): Html | undefined {
  const { words } = site;
  const best = rows.slice(0, 3).filter((row) => (shownRank(row) ?? Infinity) <= 3);
  if (best.length === 0) return undefined;
  return html`<ol class="podium">${best.map(
    (row) => html`
<li${row.rank === 1 && html` class="first"`}><b>${row.rank}<span class="vh">. </span></b>${row.faction === null ? html`<i></i>` : crest(row.faction)}<span>${participantLink(site, row)}<span class="sub">${row.faction !== null && html`${name(row.faction)} · `}${row.page !== undefined && row.player !== null && html`<a href="${pathTo(site, row.page)}#list">${words.event.list}<span class="vh"> ${words.event.listOf(name(row.player))}</span></a>`}</span></span>${pathDots(words, row, 0)}</li>`,
  )}
</ol>
${
  final &&
  html`<ol class="cards final"><li>${card(site, { ...bracketMatch(site, slug, final), note: matchName(words, final.title, false) })}</li></ol>`
}`;
}
