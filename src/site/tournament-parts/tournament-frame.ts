import type { Club } from '../../contract/club.ts';
import type { Stage, Tournament } from '../../contract/tournament.ts';
import { parseStored } from '../../read/page-address.ts';
import type { ShownScope } from '../../read/newest-revisions.ts';
import type {
  BattleView,
  BracketView,
  Leader,
  ListedLeader,
  MatchView,
  NowView,
  StageView,
  TournamentView,
} from '../../published/views.ts';
import { framed } from '../parts/frame.ts';
import { disc, hueOf } from '../parts/crest.ts';
import { html, joined, type Html } from '../html.ts';
import { type Past, pastEvent } from '../../read/being-played.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import type { TournamentPageRow } from './statements.ts';
import { badgeWords, resultsIn, roundTitle } from '../parts/current-round.ts';
import { leaderIn, pastWords, statusBadge } from '../parts/events.ts';
import { withGuest } from '../parts/guests.ts';
import { linkedText } from '../parts/linked-text.ts';
import { pulse } from '../parts/live.ts';
import { name, participantLink, cityAndCountry } from '../parts/names.ts';
import { addressOf } from '../parts/pager.ts';
import { sportsEvent } from './sports-event.ts';
import { isCurrent } from '../parts/tabs.ts';
import type { Words } from '../words/en.ts';
import { stageName } from '../words/stored.ts';

/** The tournament of a page, with what is stored beside its document. */
export interface ShownTournament extends Omit<Tournament, 'url'> {
  path: string;
  defaultStage: string | null;
  organizingClub: string | null;
  /** The stages that are being played now. Undefined if the tournament is not being played. */
  playing: NowView[] | undefined;
  /** The same stages, also on saved pages, and if nobody closed the tournament although its days are over. */
  now: readonly NowView[];
  hasFactions: boolean;
  /** How far each stage has been played. */
  played: readonly StageView[];
  /** The participant who alone is ranked first in the final standings. */
  champion: Leader | undefined;
  /** The final, once the tournament is finished. */
  final: MatchView | undefined;
  leader: ListedLeader | undefined;
  /** Set if the source calls the tournament running although its days are over. */
  past: Past | undefined;
  isRunning: boolean;
  /** The time at which the last result arrived, in ISO 8601. Undefined if it is not known. */
  lastArrival: string | undefined;
  /** The results that arrived last. */
  latest: TournamentView['latest'];
  today: string;
}

export interface TournamentTab {
  /** The id of a stage, or the name of another part. */
  tab: string;
  /** The title of what the tab shows. Undefined for the whole tournament. */
  title: string | undefined;
  /** The canonical path, with the query that belongs to it. */
  canonical: string;
  /** The part between the header and the tabs. */
  podium?: Html | undefined;
  /** The part below the tabs that shows what is being played. */
  now?: Html | undefined;
  main: Html;
  isPrivate?: boolean;
  /** The name that was searched for. */
  asked?: string | undefined;
  /** The tag of a page that keeps itself up to date while the tournament is running. */
  live?: string;
}

type ShownRow = Pick<TournamentPageRow, 'default_stage' | 'tournament' | 'lastDays'> &
  Partial<Pick<TournamentPageRow, 'club' | 'leader'>>;

export function shownTournament(
  { words, savedAt }: SiteSettings,
  row: ShownRow,
  document: string,
  today: string,
): ShownTournament {
  const tournament = parseStored<Tournament>(document);
  const past = pastEvent(row.lastDays, today);
  const view = JSON.parse(row.tournament ?? '{}') as TournamentView;
  return {
    ...tournament,
    stages: tournament.stages.map((stage) => ({ ...stage, name: stageName(words, stage, view.stages) })),
    path: `/tournaments/${tournament.slug}`,
    defaultStage: row.default_stage,
    organizingClub: row.club ? parseStored<Club>(row.club).name : null,
    // A saved page would say for ever that this is being played.
    playing: past === undefined && savedAt === undefined ? view.now : undefined,
    now: view.now ?? [],
    hasFactions: view.hasFactions,
    played: view.stages,
    champion: view.champion,
    final: view.final,
    leader: leaderIn(row.leader ?? null),
    past,
    isRunning: tournament.status === 'ongoing' && past === undefined && savedAt === undefined,
    latest: view.latest,
    lastArrival: view.latest[0]?.arrived,
    today,
  };
}

/** Returns a bracket as it stands on this day: nobody plays on when the days of the tournament are over. */
export function shownBracket({ past }: Pick<ShownTournament, 'past'>, bracket: BracketView): BracketView {
  return past === undefined ? bracket : { ...bracket, matches: bracket.matches.map(noLongerOpen) };
}

export const noLongerOpen = <One extends BattleView>(battle: One): One =>
  battle.state === 'open' ? { ...battle, state: 'missing' } : battle;

/** Returns the club that the header names, so that the page follows its changes. */
export function shownClub({
  organizer,
  club_revision,
}: Pick<TournamentPageRow, 'organizer' | 'club_revision'>): ShownScope[] {
  return organizer === null ? [] : [{ scope: `club:${organizer}`, revision: BigInt(club_revision ?? 0) }];
}

/** Returns the revisions that decide the text of a page. */
export function revisionsOf({
  revision,
  club_revision,
}: Pick<TournamentPageRow, 'revision' | 'club_revision'>): string {
  return `${revision}.${club_revision ?? 0}`;
}

/** Makes a page from the header, the tabs and the shown part. */
export function tournamentFrame(site: SiteSettings, tournament: ShownTournament, tab: TournamentTab): string {
  const live = tournament.isRunning && site.savedAt === undefined ? tab.live : undefined;
  return framed(site, {
    title: tab.title === undefined ? tournament.name : `${tab.title} · ${tournament.name}`,
    description: description(site, tournament),
    canonical: tab.canonical,
    isPrivate: tab.isPrivate,
    head: tab.canonical === tournament.path ? sportsEvent(site, tournament, clubOf(tournament)) : undefined,
    kind: 'event',
    hue: tournament.organizingClub === null ? undefined : hueOf(tournament.organizingClub),
    event: tournament.path,
    asked: tab.asked,
    hasScript: true,
    live: live === undefined ? undefined : `W/"${live}"`,
    main: html`${header(site, tournament)}
${live !== undefined && pulse}
${tab.podium}
${tabs(site, tournament, tab)}
${tab.now}
${tab.main}`,
  });
}

function clubOf({ organizer, organizingClub }: ShownTournament) {
  return organizer === null || organizingClub === null
    ? undefined
    : { slug: organizer, name: organizingClub };
}

/**
 * Returns the present state for link previews: `Round 2 of 3 · 104 players · leader after round 1: Ana
 * Quiroga`.
 */
function description(
  { words }: SiteSettings,
  { status, stages, playing = [], players, leader, startDate, endDate, past }: ShownTournament,
): string {
  const t = words.event;
  const rounds = playing.flatMap(({ stage: id, now }) => {
    const stage = stages.find((each) => each.id === id);
    return stage === undefined ? [] : [roundTitle(words, stage, now)];
  });
  const day = startDate && words.daysInWords(startDate, endDate);
  const state = {
    planned: [words.events.upcoming, day, words.events.signedUp(players)],
    ongoing: [
      ...(past
        ? [past.lastResult === null ? t.unfinished : t.lastResultOn(words.daysInWords(past.lastResult, null))]
        : rounds.length === 0
          ? [words.events.running]
          : rounds),
      words.players(players),
    ],
    finished: [t.finished, day, words.players(players)],
  }[status];
  const who = leader && (leader.player ?? words.stored.erased);
  const first = who && (leader.round === undefined ? t.winner(who) : t.leaderAfter(leader.round, who));
  return [...state, first].filter(Boolean).join(' · ');
}

/**
 * Draws the header in the colour of the organiser. A phone shows only what changes during the tournament. The
 * other facts are on the first page, under "About".
 */
function header(site: SiteSettings, tournament: ShownTournament): Html {
  const { organizer, organizingClub: club, path } = tournament;
  const results = tournament.playing?.reduce((sum, each) => sum + each.results, 0);
  return html`<header class="banner top${club !== null && ` ${hueOf(club)}`}"${results !== undefined && html` data-results="${results}"`}>
${organizer !== null && club !== null && html`<p class="by">${disc(club)}<a href="${pathTo(site, `/clubs/${organizer}`)}">${name(club)}</a></p>`}
<h1>${name(tournament.name)}</h1>
${stateLines(site, tournament)}
<p class="facts">${factsOf(site, tournament)}<a href="${pathTo(site, path)}#about">${site.words.event.more}</a></p>
</header>`;
}

/** Draws one line for each stage that is being played, otherwise what became of the tournament. */
function stateLines(site: SiteSettings, tournament: ShownTournament): Html {
  const { words } = site;
  const { status, champion, playing = [], now, stages, isRunning, past, latest } = tournament;
  const t = words.event;
  const line = (state: Html, more: Html | string = '') =>
    html`<p class="state">${state}${more !== '' && html`<span>${more}</span>`}</p>`;
  if (status === 'planned') {
    const { startDate, today, players } = tournament;
    // A day that has passed does not begin any more, even if nobody reported what became of the tournament.
    const begins = (day: string) => (day < today ? words.day(day) : t.begins(words.day(day)));
    return line(
      html`<b>${startDate === null ? words.events.upcoming : begins(startDate)}</b>`,
      words.events.signedUp(players),
    );
  }
  if (status === 'finished') {
    return champion === undefined
      ? line(html`<b>${t.finished}</b>`)
      : line(html`<b>${t.wonBy(whoOf(site, champion))}</b>`);
  }
  if (past !== undefined) return line(html`<b>${pastWords(words, past)}</b>`);
  const lines = (site.savedAt === undefined ? playing : now).flatMap((played) => {
    const stage = stages.find(({ id }) => id === played.stage);
    if (stage === undefined) return [];
    const isOne = now.length === 1;
    return [
      line(
        html`<b${isRunning && html` class="live"`}>${!isOne && html`${name(stage.name)} · `}${roundTitle(words, stage, played.now)}</b>`,
        resultsIn(words, played),
      ),
    ];
  });
  const isQuiet = isRunning && latest.length === 0 && lines.length === 0;
  return lines.length > 0
    ? html`${lines}`
    : line(
        html`<b${isRunning && html` class="live"`}>${words.events.running}</b>`,
        isQuiet ? words.now.noRound : '',
      );
}

function factsOf(site: SiteSettings, tournament: ShownTournament): Html {
  const { words } = site;
  const { isRunning, lastArrival, startDate, endDate, players, today } = tournament;
  const where = cityAndCountry(tournament);
  const when = words.days(startDate, endDate, true);
  const plan = planOf(words, tournament);
  const facts = [
    ...(isRunning && lastArrival !== undefined
      ? [html`<span>${words.events.lastResult(words.clock(new Date(lastArrival), today))}</span>`]
      : []),
    leadLine(site, tournament),
    when && html`<span class="opt">${when}</span>`,
    where && html`<span class="opt">${where}</span>`,
    html`<span class="opt">${words.players(players)}</span>`,
    plan && html`<span class="opt">${plan}</span>`,
  ];
  return html`${facts}`;
}

/** Returns the rounds that everybody plays, and what follows: `5 rounds, then top 8`. */
function planOf(
  words: Words,
  { stages, played, rounds: all }: Pick<ShownTournament, 'stages' | 'played' | 'rounds'>,
): Html | undefined {
  const t = words.event;
  const first = stages.find(({ id }) => id === 'swiss');
  const knockout = stages.find(({ id }) => id === 'knockout');
  const rounds = first?.rounds ?? (knockout === undefined ? all : 0);
  const kind = played.find(({ id }) => id === 'knockout')?.kind;
  const size = knockout?.players ?? (kind && 'top' in kind ? kind.top : undefined);
  const then = knockout && (size ? html`${t.top(size)}` : name(knockout.name));
  if (rounds === 0) return then;
  return then ? html`${t.roundsThen(t.rounds(rounds), then)}` : html`${t.rounds(rounds)}`;
}

/**
 * Says who led after the last complete round, or who is in the final. The leaders of groups are named with
 * their group, unless there are too many.
 */
function leadLine(
  site: SiteSettings,
  { slug, playing, played, isRunning, defaultStage }: ShownTournament,
): Html | undefined {
  if (!isRunning) return undefined;
  const t = site.words.event;
  const { finalists = [] } = playing?.find(({ stage }) => stage === defaultStage) ?? {};
  if (finalists.length > 0) {
    const both = site.words.listed(finalists.map((each) => leaderName(site, slug, each)));
    return html`<span class="opt lead">${t.inFinal} ${both}</span>`;
  }
  const complete = played.find(({ id }) => id === defaultStage)?.complete ?? [];
  const leaders = complete.flatMap((each) => each.leaders.map((leader) => ({ ...each, leader })));
  if (defaultStage === 'placement-swiss' || leaders.length === 0 || leaders.length > maxLeaders)
    return undefined;
  const rounds = new Set(leaders.map(({ round }) => round));
  const [round = 0] = rounds;
  if (rounds.size > 1) return undefined;
  const shown = leaders.map(({ group, leader }) =>
    group === undefined
      ? leaderName(site, slug, leader)
      : html`${name(group)} ${leaderName(site, slug, leader)}`,
  );
  return html`<span class="opt lead">${t.leaderWas(round, joined(shown, ', '))}</span>`;
}

const maxLeaders = 4;

const leaderName = (site: SiteSettings, slug: string, leader: Leader): Html =>
  participantLink(site, withGuest(site, slug, leader));

function whoOf(site: SiteSettings, { player }: Leader): Html {
  return player === null ? html`${site.words.stored.erased}` : name(player);
}

export function statusBadges(
  site: SiteSettings,
  { status, stages, playing = [], past }: ShownTournament,
): Html[] {
  const { words } = site;
  if (status === 'finished') return [html`<span class="badge">${words.event.finished}</span>`];
  if (status === 'planned' || past !== undefined) return statusBadge(site, { status }, past);
  const badges = playing.flatMap((played) => {
    const stage = stages.find(({ id }) => id === played.stage);
    if (stage === undefined) return [];
    return [
      html`<span class="badge on">${badgeWords(words, stage, played)}</span>${playing.length > 1 && html`<span>${name(stage.name)}</span>`}`,
    ];
  });
  return badges.length > 0 ? badges : [html`<span class="badge on">${words.events.running}</span>`];
}

/** Shows the facts that the header leaves out on a phone, and the organiser's description. */
export function about(site: SiteSettings, tournament: ShownTournament): Html {
  const { words } = site;
  const { organizer, organizingClub, battlePack, description: text } = tournament;
  const items = [
    words.days(tournament.startDate, tournament.endDate),
    cityAndCountry(tournament),
    words.players(tournament.players),
    planOf(words, tournament),
    words.points(tournament.battleSize),
    battlePack !== null && name(battlePack),
    organizer !== null &&
      organizingClub !== null &&
      html`<a href="${pathTo(site, `/clubs/${organizer}`)}">${name(organizingClub)}</a>`,
    runBy(site, tournament.tournamentOrganizers),
  ];
  return html`<section id="about" aria-labelledby="about-title">
<h2 id="about-title">${words.event.about}</h2>
<ul class="meta">${items.map(
    (item) =>
      item &&
      html`
<li>${item}</li>`,
  )}
</ul>
${text.trim() !== '' && html`<p class="prose" lang="" dir="auto">${linkedText(text)}</p>`}
</section>`;
}

const maxPeople = 6;

function runBy(site: SiteSettings, people: Tournament['tournamentOrganizers']): Html | false {
  if (people.length === 0) return false;
  const shown = people.slice(0, maxPeople).map((each) => personLink(site, each.playerId, each.name));
  const more = people.length - shown.length;
  const t = site.words.event;
  return t.runBy(html`${joined(shown, ', ')}${more > 0 && ` ${t.andOthers(more)}`}`);
}

function personLink(site: SiteSettings, id: string, text: string): Html {
  return html`<a href="${pathTo(site, `/players/${id}`)}">${name(text)}</a>`;
}

/** Draws at most five tabs. The stages of a part are steps below them. */
function tabs(site: SiteSettings, tournament: ShownTournament, { tab }: TournamentTab): Html {
  const t = site.words.event;
  const { path, defaultStage, hasFactions } = tournament;
  const stages = tournament.status === 'planned' ? [] : mergedFirst(tournament.stages);
  const to = (address: string, text: string, isShown: boolean, stage?: string) => html`
<li><a href="${addressOf(site, address, { stage })}"${isShown && isCurrent}>${name(text)}</a></li>`;
  const toStage = ({ id }: Stage, text: string, isShown: boolean) =>
    to(path, text, isShown, id === defaultStage ? undefined : id);
  const shown = stages.find(({ id }) => id === tab);
  const parts = (['board', 'bracket'] as const).map((type) => stages.filter((stage) => stage.type === type));
  const steps = parts.find((own) => shown !== undefined && own.includes(shown)) ?? [];
  return html`<nav class="tabs" aria-label="${t.parts}"><ul>${
    stages.length === 0
      ? to(path, t.overview, tab === overview)
      : parts.map((own, index) => {
          const first = own.find(({ id }) => id === defaultStage) ?? own[0];
          return first && toStage(first, index === 0 ? t.standings : t.bracket, steps === own);
        })
  }${stages.length > 0 && to(`${path}/rounds`, t.roundsTab, tab === 'rounds')}${to(`${path}/participants`, t.players, tab === 'participants')}
${hasFactions && html`<li><a href="${pathTo(site, path)}#factions">${t.factions}</a></li>`}
</ul></nav>
${
  steps.length > 1 &&
  html`<nav class="tabs steps" aria-label="${t.stages}"><ul>${steps.map((stage) => toStage(stage, stage.name, stage === shown))}
</ul></nav>`
}`;
}

/** The tab of a tournament without stages to show. */
export const overview = 'overview';

function mergedFirst(stages: readonly Stage[]): Stage[] {
  return stages.toSorted((a, b) => Number(b.id === 'standings') - Number(a.id === 'standings'));
}
