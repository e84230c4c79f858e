import type { ListedLeader, NowView, StageView } from '../../published/views.ts';
import type { Past } from '../../read/being-played.ts';
import type { Tournament } from '../../contract/tournament.ts';
import { crest, disc, hueOf, noCrest } from './crest.ts';
import { html, joined, type Html } from '../html.ts';
import { meter } from './meter.ts';
import { type ListRow } from './rows.ts';
import { fileTo, pathTo, type SiteSettings } from '../site-settings.ts';
import { resultsIn, roundTitle } from './current-round.ts';
import { name, place } from './names.ts';
import type { Words } from '../words/en.ts';
import { stageName } from '../words/stored.ts';

/** A tournament as a stored document has it. */
export type Event = Omit<Tournament, 'url'>;

/** How far it is. */
export interface EventState {
  /** The stage that play has reached. */
  stage: string | null;
  stages: readonly StageView[];
  /** Undefined: nothing of the stage is played. */
  played: NowView | undefined;
  /** Who leads, or who won. */
  leader: Leader | undefined;
}

/** Who won or led. The name is null when it was erased. */
export type Leader = ListedLeader;

export function leaderIn(json: string | null): Leader | undefined {
  return json === null ? undefined : (JSON.parse(json) as Leader);
}

/** In a list of all kinds. */
export function eventRow(
  site: SiteSettings,
  event: Event,
  past: Past | undefined,
  { leader, club }: { leader?: Leader | undefined; club?: string | undefined } = {},
): ListRow {
  const { words } = site;
  const isPlanned = event.status === 'planned';
  const state = isPlanned ? [] : statusBadge(site, event, past);
  const facts = joined(factsOf(site, event), ' · ');
  return {
    crest: leader?.faction ? crest(leader.faction) : club === undefined ? noCrest : disc(club),
    title: html`<a class="name" href="${pathTo(site, `/tournaments/${event.slug}`)}">${name(event.name)}</a>`,
    lines: [
      ...(leader ? [leading(site, leader)] : []),
      ...(isPlanned && club !== undefined ? [name(club)] : []),
      html`${state.map((badge) => html`${badge} `)}${facts}`,
    ],
    end: html`<span class="sub">${words.days(event.startDate, event.endDate, true)}</span>`,
  };
}

function leading({ words }: SiteSettings, { player, faction, round }: Leader): Html {
  const said = words.events;
  const person = player === null ? words.stored.erased : name(player);
  if (round === undefined) return faction ? said.wonWith(person, name(faction)) : said.won(person);
  return said.leaderAfter(round, faction ? html`${person}, ${name(faction)}` : person);
}

/** None when it is over: most are. */
export function statusBadge(
  { words }: SiteSettings,
  { status }: Pick<Event, 'status'>,
  past: Past | undefined,
): Html[] {
  const said = words.events;
  if (status === 'finished') return [];
  if (past !== undefined) return [html`<span class="badge">${pastWords(words, past)}</span>`];
  return [
    status === 'ongoing'
      ? html`<span class="badge on">${said.running}</span>`
      : html`<span class="badge">${said.upcoming}</span>`,
  ];
}

/** When the last result of an event came that its source still calls running. */
export function pastWords(words: Words, { lastResult }: Past): Html | string {
  return lastResult === null ? words.event.unfinished : words.events.lastResult(words.day(lastResult));
}

/** While it is played: in the colour of the club that runs it, with the results that are in. */
export function runningTile(
  site: SiteSettings,
  event: Event,
  { stage: id, stages, played, leader }: EventState,
  club: string | undefined,
): Html {
  const { words } = site;
  const stage = event.stages.find((each) => each.id === id);
  const title = stage && played ? roundTitle(words, stage, played.now) : words.events.running;
  const named = event.stages.length > 1 && stage !== undefined && name(stageName(words, stage, stages));
  return html`
<li class="tile banner${club !== undefined && ` ${hueOf(club)}`}">
${club !== undefined && html`<p class="by">${disc(club)}${name(club)}</p>`}
<h3><a class="name" href="${pathTo(site, `/tournaments/${event.slug}`)}">${name(event.name)}</a></h3>
<p class="state"><b class="live">${named && html`${named} · `}${title}</b>${stage && played && html`<span>${resultsIn(words, played)}</span>`}</p>
${played && meter(played)}
${leader && html`<p class="by">${leader.faction && crest(leader.faction)}<span>${leading(site, leader)}</span></p>`}
<p class="facts">${factsOf(site, event).map((fact) => html`<span>${fact}</span>`)}</p>
</li>`;
}

/** Where, and how many. Of a planned one, also how large the armies are. */
function factsOf({ words }: SiteSettings, event: Event): (Html | string)[] {
  const isPlanned = event.status === 'planned';
  const where = place(event);
  return [
    ...(where === undefined ? [] : [where]),
    isPlanned ? words.events.signedUp(event.players) : words.players(event.players),
    ...(isPlanned ? [words.points(event.battleSize)] : []),
  ];
}

/** So that a reader of feeds finds the results. */
export function feedLink(site: SiteSettings): Html {
  return html`<link rel="alternate" type="application/atom+xml" title="${site.words.events.finishedFeed}" href="${fileTo(site, '/tournaments.atom')}">\n`;
}
