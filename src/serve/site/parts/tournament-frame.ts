import type { BoardRow } from '../../../contract/standings.ts';
import type { Stage, Tournament } from '../../../contract/tournament.ts';
import { parseStored } from '../../documents/page-address.ts';
import type { ShownScope } from '../../documents/newest-revisions.ts';
import { framed } from '../frame.ts';
import { html, joined, type Html } from '../html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import type { TournamentRow } from '../statements/tournament.ts';
import { days } from './dates.ts';
import { erasedName, name, place } from './names.ts';
import { counted, number } from './numbers.ts';
import { sportsEvent } from './sports-event.ts';

/** The tournament of a page, with what stands beside its document. */
export interface ShownTournament extends Omit<Tournament, 'url'> {
  path: string;
  defaultStage: string | null;
  organizingClub: string | null;
  begun: number;
  /** Alone in first place. */
  champion: BoardRow | undefined;
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
  /** One more tab: a place on this page. */
  hasFactions?: boolean;
  main: Html;
  /** The tag of a page that keeps itself fresh while the tournament runs. */
  tag?: string;
}

export function shownTournament(row: TournamentRow, document: string): ShownTournament {
  const tournament = parseStored<Tournament>(document);
  return {
    ...tournament,
    path: `/tournaments/${tournament.slug}`,
    defaultStage: row.default_stage,
    organizingClub: row.club_name,
    begun: row.begun ?? 0,
    champion: championOf(row.winners ?? []),
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
  return framed(site, {
    title: tab.title === undefined ? tournament.name : `${tab.title} · ${tournament.name}`,
    description: description(tournament),
    canonical: tab.canonical,
    head: tab.canonical === tournament.path ? sportsEvent(site, tournament, clubOf(tournament)) : undefined,
    liveTag: tournament.status === 'ongoing' && tab.tag !== undefined ? `W/"${tab.tag}"` : undefined,
    main: html`${header(site, tournament, tab.podium === undefined)}
${tab.podium}
${tabs(site, tournament, tab)}
${tab.main}`,
  });
}

/** Who is alone in first place of the merged standings. */
export function championOf([first, second]: readonly BoardRow[]): BoardRow | undefined {
  return first?.rank === 1 && second?.rank !== 1 ? first : undefined;
}

function clubOf({ organizer, organizingClub }: ShownTournament) {
  return organizer === null || organizingClub === null
    ? undefined
    : { slug: organizer, name: organizingClub };
}

function description({ name: title, champion, status }: ShownTournament): string {
  if (champion !== undefined)
    return `${champion.player ?? erasedName} won ${title}: standings, rounds and army lists.`;
  return status === 'planned'
    ? `${title}: who comes, when and where.`
    : `${title}: standings, rounds and army lists.`;
}

function header(site: SiteSettings, tournament: ShownTournament, namesChampion: boolean): Html {
  const { startDate, endDate, champion, organizer, organizingClub, battlePack } = tournament;
  const when = days(startDate, endDate);
  const where = place(tournament);
  const items = [
    namesChampion &&
      champion !== undefined &&
      html`Won by ${champion.playerId === null ? name(champion.player ?? erasedName) : personLink(site, champion.playerId, champion.player ?? erasedName)}`,
    counted(tournament.players, 'player'),
    tournament.rounds > 0 && counted(tournament.rounds, 'round'),
    html`${number(tournament.battleSize)} points`,
    battlePack !== null && name(battlePack),
    organizer !== null &&
      organizingClub !== null &&
      html`<a href="${pathTo(site, `/clubs/${organizer}`)}">${name(organizingClub)}</a>`,
    runBy(site, tournament.tournamentOrganizers),
  ];
  return html`<header class="title">
<h1>${name(tournament.name)}</h1>
<p class="meta">${statusBadge(tournament)}${when && html`<span>${when}</span>`}${where && html`<span>${where}</span>`}</p>
<ul class="meta">${items.map(
    (item) =>
      item &&
      html`
<li>${item}</li>`,
  )}
</ul>
</header>`;
}

function statusBadge({ status, stages, defaultStage, begun }: ShownTournament): Html {
  if (status !== 'ongoing')
    return html`<span class="badge">${status === 'planned' ? 'Planned' : 'Finished'}</span>`;
  const stage = stages.find(({ id }) => id === defaultStage);
  if (stage === undefined || begun === 0) return html`<span class="badge live">Running</span>`;
  const of = stage.rounds !== undefined && stage.rounds >= begun && ` of ${stage.rounds}`;
  return html`<span class="badge live">Round ${begun}${of}</span>${stages.length > 1 && html`<span>${name(stage.name)}</span>`}`;
}

const mostPeople = 6;

function runBy(site: SiteSettings, people: Tournament['tournamentOrganizers']): Html | false {
  if (people.length === 0) return false;
  const shown = people.slice(0, mostPeople).map((each) => personLink(site, each.playerId, each.name));
  const more = people.length - shown.length;
  return html`Run by ${joined(shown, ', ')}${more > 0 && ` and ${counted(more, 'other')}`}`;
}

function personLink(site: SiteSettings, id: string, text: string): Html {
  return html`<a href="${pathTo(site, `/players/${id}`)}">${name(text)}</a>`;
}

function tabs(site: SiteSettings, tournament: ShownTournament, { tab, hasFactions }: TournamentTab): Html {
  const { path, defaultStage, status: now } = tournament;
  const link = (id: string, address: string, text: string) => html`
<li><a href="${pathTo(site, address)}"${id === tab && isCurrent}>${name(text)}</a></li>`;
  const stages = now === 'planned' ? [] : mergedFirst(tournament.stages);
  return html`<nav class="tabs" aria-label="Parts of this tournament"><ul>${
    stages.length === 0
      ? link(overview, path, 'Overview')
      : stages.map(({ id, name: label }) =>
          link(id, id === defaultStage ? path : `${path}?stage=${encodeURIComponent(id)}`, label),
        )
  }${now !== 'planned' && link('rounds', `${path}/rounds`, 'Rounds')}${link('participants', `${path}/participants`, 'Players')}${
    hasFactions &&
    html`
<li><a href="#factions">Factions</a></li>`
  }
</ul></nav>`;
}

/** The tab of a tournament without stages to show. */
export const overview = 'overview';

export const isCurrent = html` aria-current="page"`;

function mergedFirst(stages: readonly Stage[]): Stage[] {
  return stages.toSorted((a, b) => Number(b.id === 'standings') - Number(a.id === 'standings'));
}
