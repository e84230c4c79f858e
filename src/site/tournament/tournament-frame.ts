import type { BoardRow } from '../../contract/standings.ts';
import type { Stage, Tournament } from '../../contract/tournament.ts';
import { parseStored } from '../../read/page-address.ts';
import type { ShownScope } from '../../read/newest-revisions.ts';
import type { Leader } from '../../publish/derive/now/play-shape.ts';
import { framed } from '../parts/frame.ts';
import { html, joined, type Html } from '../parts/html.ts';
import { noResultsSince } from '../../read/old-event.ts';
import { followQuery } from '../page.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import type { TournamentRow } from './statements.ts';
import { badgeWords, type PlayedStage, roundTitle } from '../now/current-round.ts';
import { leaderIn, type Leader as ListedLeader, statusBadge } from '../parts/events.ts';
import { guestKey } from '../parts/guests.ts';
import { linkedText } from '../parts/linked-text.ts';
import { liveWith, pulse } from '../now/live.ts';
import { name, person, place } from '../parts/names.ts';
import { record } from '../parts/numbers.ts';
import { addressOf } from '../parts/pager.ts';
import { sportsEvent } from './sports-event.ts';
import { isCurrent } from '../parts/tabs.ts';
import { stageName } from '../words/stored.ts';

/** The tournament of a page, with what stands beside its document. */
export interface ShownTournament extends Omit<Tournament, 'url'> {
  path: string;
  defaultStage: string | null;
  organizingClub: string | null;
  /** The stages that are played now. Undefined when it does not run, or when a version before has published it. */
  playing: PlayedStage[] | undefined;
  hasFactions: boolean;
  /** Alone in first place. */
  champion: Champion | undefined;
  leader: ListedLeader | undefined;
  /** Of an old one. */
  noResultsSince: string | undefined;
  isRunning: boolean;
  today: string;
}

export interface TournamentTab {
  /** A stage, or another part. */
  tab: string;
  /** What the tab shows, when it is not the whole tournament. */
  title: string | undefined;
  /** With the query that belongs to it. */
  canonical: string;
  /** Between the header and the tabs. */
  podium?: Html | undefined;
  /** What is played, below the tabs. */
  now?: Html | undefined;
  /** Where the followed player is. */
  hint?: Html | undefined;
  main: Html;
  /** The key of whose row is marked: the links to other tabs keep it, and search engines leave the page out. */
  followed?: string | undefined;
  isPrivate?: boolean;
  /** The name that was looked for. */
  asked?: string | undefined;
  /** For the style sheet. */
  kind?: 'hall';
  /** The revision and the tag of a page that keeps itself fresh while the tournament runs. */
  live?: { revision: string; tag: string };
}

type ShownRow = Pick<TournamentRow, 'default_stage' | 'playing' | 'lastDays'> &
  Partial<Pick<TournamentRow, 'club_name' | 'has_factions' | 'leader' | 'winners'>>;

export function shownTournament(
  { words }: SiteSettings,
  row: ShownRow,
  document: string,
  today: string,
): ShownTournament {
  const tournament = parseStored<Tournament>(document);
  const since = noResultsSince(row.lastDays, today);
  return {
    ...tournament,
    stages: tournament.stages.map((stage) => ({ ...stage, name: stageName(words, stage.name) })),
    path: `/tournaments/${tournament.slug}`,
    defaultStage: row.default_stage,
    organizingClub: row.club_name ?? null,
    playing: since === undefined ? row.playing?.filter(({ now }) => now.length > 0) : undefined,
    hasFactions: row.has_factions === true,
    champion: championOf(row.winners ?? []),
    leader: leaderIn(row.leader ?? null),
    noResultsSince: since,
    isRunning: tournament.status === 'ongoing' && since === undefined,
    today,
  };
}

/** The club that the header names. The page is old when it changes. */
export function shownClub({ organizer, club_revision }: TournamentRow): ShownScope[] {
  return organizer === null ? [] : [{ scope: `club:${organizer}`, revision: BigInt(club_revision ?? 0) }];
}

/** The revisions that decide the text of a page. */
export function revisionsOf({ revision, club_revision }: TournamentRow): string {
  return `${revision}.${club_revision ?? 0}`;
}

/** Header, tabs and the shown part in the frame. */
export function tournamentFrame(site: SiteSettings, tournament: ShownTournament, tab: TournamentTab): string {
  const live = tournament.isRunning && site.savedAt === undefined ? tab.live : undefined;
  return framed(site, {
    title: tab.title === undefined ? tournament.name : `${tab.title} · ${tournament.name}`,
    description: description(site, tournament),
    canonical: tab.canonical,
    isPrivate: tab.isPrivate === true || tab.followed !== undefined,
    head: tab.canonical === tournament.path ? sportsEvent(site, tournament, clubOf(tournament)) : undefined,
    kind: tab.kind === undefined ? 'event' : `event ${tab.kind}`,
    event: tournament.path,
    asked: tab.asked,
    followed: tab.followed,
    hasScript: true,
    live: live && {
      ...liveWith(site, tournament.slug, live.revision, tournament.today),
      tag: `W/"${live.tag}"`,
    },
    main: html`${header(site, tournament, tab.podium === undefined, live !== undefined)}
${tab.podium}
${tabs(site, tournament, tab)}
${tab.now}
${tab.hint}
${tab.main}`,
  });
}

type Champion = BoardRow & Pick<Leader, 'entry'>;

/** Who is alone in first place of the merged standings. */
export function championOf([first, second]: readonly Champion[]): Champion | undefined {
  return first?.rank === 1 && second?.rank !== 1 ? first : undefined;
}

function clubOf({ organizer, organizingClub }: ShownTournament) {
  return organizer === null || organizingClub === null
    ? undefined
    : { slug: organizer, name: organizingClub };
}

/** How it stands, for previews of links: `Round 2 of 3 · 104 players · leading: Ana Quiroga`. */
function description(
  { words }: SiteSettings,
  {
    status,
    stages,
    playing = [],
    players,
    leader,
    startDate,
    endDate,
    noResultsSince: since,
  }: ShownTournament,
): string {
  const said = words.event;
  const rounds = playing.flatMap(({ stage: id, now }) => {
    const stage = stages.find((each) => each.id === id);
    return stage === undefined ? [] : [roundTitle(words, stage, now)];
  });
  const day = startDate && words.daysInWords(startDate, endDate);
  const state = {
    planned: [words.events.upcoming, day, words.events.signedUp(players)],
    ongoing: [
      ...(since
        ? [said.noResultsSince(words.daysInWords(since, null))]
        : rounds.length === 0
          ? [words.events.running]
          : rounds),
      words.players(players),
    ],
    finished: [said.finished, day, words.players(players)],
  }[status];
  const who = leader && (leader.player ?? words.stored.erased);
  const first = who && (status === 'finished' ? said.winner(who) : said.leader(who));
  return [...state, first].filter(Boolean).join(' · ');
}

/** On a phone only what moves: the state, the time, who leads. The other facts are on the first page, under "About". */
function header(
  site: SiteSettings,
  tournament: ShownTournament,
  namesChampion: boolean,
  isLive: boolean,
): Html {
  const { champion, path } = tournament;
  const where = place(tournament);
  const away = isLive && html` class="away"`;
  const winner =
    namesChampion &&
    champion !== undefined &&
    html`<p class="lead"><span>${site.words.event.wonBy}</span> ${leading(site, tournament.slug, champion)}</p>`;
  return html`<header class="title">
<h1>${name(tournament.name)}</h1>
<div class="state">
${statusLines(site, tournament)}
${isLive && pulse}
<p class="meta facts">${where && html`<span${away}>${where}</span>`}<span${away}>${site.words.players(tournament.players)}</span><a href="${pathTo(site, path)}#about">${site.words.event.more}</a></p>
</div>
${leadLine(site, tournament) ?? winner}
</header>`;
}

/** Who leads a running event, or who is in its final. Groups are named, unless they are many. */
export function leadLine(
  site: SiteSettings,
  { slug, playing, isRunning, defaultStage }: ShownTournament,
): Html | undefined {
  if (!isRunning) return undefined;
  const { leaders, now } = playing?.find(({ stage }) => stage === defaultStage) ?? {};
  const isBracket = now?.[0]?.names !== undefined;
  const shown = leaders && leaders.length <= maxLeaders ? leaders : [];
  const leads = shown.map((each) => leading(site, slug, each));
  const said = site.words.event;
  return html`<p class="lead">${
    shown.length > 0 &&
    html`<span>${isBracket ? said.inFinal : said.leading}</span> ${isBracket ? site.words.listed(leads) : joined(leads, '; ')}`
  }</p>`;
}

const maxLeaders = 4;

function leading(
  site: SiteSettings,
  slug: string,
  { player, playerId, entry, faction, group, wins, draws = 0, losses = 0 }: Leader,
): Html {
  const facts = [
    ...(group === undefined ? [] : [name(group)]),
    ...(faction ? [name(faction)] : []),
    ...(wins === undefined ? [] : [html`<span class="nb">${record({ wins, draws, losses })}</span>`]),
  ];
  return html`<b>${person(site, { player, playerId, guest: guestKey(site, slug, entry) })}</b>${facts.map((fact) => html`, ${fact}`)}`;
}

/** One line for each stage that is played. The day stands in the first. The script compares the number of results. */
export function statusLines(site: SiteSettings, tournament: ShownTournament): Html {
  const when = site.words.days(tournament.startDate, tournament.endDate, true);
  const results = tournament.playing?.reduce((sum, each) => sum + (each.results ?? 0), 0);
  return html`<div class="badges"${results !== undefined && html` data-results="${results}"`}>${statusBadges(
    site,
    tournament,
  ).map(
    (badge, index) => html`
<p class="meta facts">${badge}${index === 0 && when && html`<span${tournament.isRunning && html` class="away"`}>${when}</span>`}</p>`,
  )}
</div>`;
}

export function statusBadges(
  site: SiteSettings,
  { status, stages, playing = [], noResultsSince: since }: ShownTournament,
): Html[] {
  const { words } = site;
  if (status === 'finished') return [html`<span class="badge">${words.event.finished}</span>`];
  if (status === 'planned' || since !== undefined) return statusBadge(site, { status }, since);
  const badges = playing.flatMap((played) => {
    const stage = stages.find(({ id }) => id === played.stage);
    if (stage === undefined) return [];
    return [
      html`<span class="badge live">${badgeWords(words, stage, played)}</span>${playing.length > 1 && html`<span>${name(stage.name)}</span>`}`,
    ];
  });
  return badges.length > 0 ? badges : [html`<span class="badge live">${words.events.running}</span>`];
}

/** The facts that the header leaves out, and what the organiser writes. */
export function about(site: SiteSettings, tournament: ShownTournament): Html {
  const { words } = site;
  const { organizer, organizingClub, battlePack, description: text } = tournament;
  const items = [
    tournament.rounds > 0 && words.event.rounds(tournament.rounds),
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
  const said = site.words.event;
  return said.runBy(html`${joined(shown, ', ')}${more > 0 && ` ${said.andOthers(more)}`}`);
}

function personLink(site: SiteSettings, id: string, text: string): Html {
  return html`<a href="${pathTo(site, `/players/${id}`)}">${name(text)}</a>`;
}

/** At most five. The stages of a part are steps below them. */
function tabs(site: SiteSettings, tournament: ShownTournament, { tab, followed }: TournamentTab): Html {
  const said = site.words.event;
  const { path, defaultStage, hasFactions } = tournament;
  const stages = tournament.status === 'planned' ? [] : mergedFirst(tournament.stages);
  const to = (address: string, text: string, isShown: boolean, stage?: string) => html`
<li><a href="${addressOf(site, address, { stage, ...followQuery(followed) })}"${isShown && isCurrent}>${name(text)}</a></li>`;
  const toStage = ({ id }: Stage, text: string, isShown: boolean) =>
    to(path, text, isShown, id === defaultStage ? undefined : id);
  const shown = stages.find(({ id }) => id === tab);
  const parts = (['board', 'bracket'] as const).map((type) => stages.filter((stage) => stage.type === type));
  const steps = parts.find((own) => shown !== undefined && own.includes(shown)) ?? [];
  return html`<nav class="tabs slide" aria-label="${said.parts}"><ul>${
    stages.length === 0
      ? to(path, said.overview, tab === overview)
      : parts.map((own, index) => {
          const first = own.find(({ id }) => id === defaultStage) ?? own[0];
          return first && toStage(first, index === 0 ? said.standings : said.bracket, steps === own);
        })
  }${stages.length > 0 && to(`${path}/rounds`, said.roundsTab, tab === 'rounds')}${to(`${path}/participants`, said.players, tab === 'participants')}
${hasFactions && html`<li><a href="${pathTo(site, path)}#factions">${said.factions}</a></li>`}
</ul></nav>
${
  steps.length > 1 &&
  html`<nav class="tabs steps" aria-label="${said.stages}"><ul>${steps.map((stage) => toStage(stage, stage.name, stage === shown))}
</ul></nav>`
}`;
}

/** The tab of a tournament without stages to show. */
export const overview = 'overview';

function mergedFirst(stages: readonly Stage[]): Stage[] {
  return stages.toSorted((a, b) => Number(b.id === 'standings') - Number(a.id === 'standings'));
}
