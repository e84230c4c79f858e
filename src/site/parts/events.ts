import type { ListedLeader, NowView, StageView } from '../../published/views.ts';
import type { Past } from '../../read/being-played.ts';
import type { Tournament } from '../../contract/tournament.ts';
import { crest, disc, hueOf, noCrest } from './crest.ts';
import { html, joined, type Html } from '../html.ts';
import { meter } from './meter.ts';
import { type ListRow } from './rows.ts';
import { fileTo, pathTo, type SiteSettings } from '../site-settings.ts';
import { resultsIn, roundTitle } from './current-round.ts';
import { name, cityAndCountry } from './names.ts';
import type { Words } from '../words/en.ts';
import { stageName } from '../words/stored.ts';

/** A tournament as a stored document contains it. */
export type Event = Omit<Tournament, 'url'>;

/** How far a tournament has been played. */
export interface EventState {
  /** The id of the stage that play has reached. */
  stage: string | null;
  stages: readonly StageView[];
  /** Undefined if nothing of the stage is being played. */
  played: NowView | undefined;
  /** The participant who leads or has won. */
  leader: ListedLeader | undefined;
}

/** Returns the participant who won or led. The name is null if it was erased. */
export function leaderIn(json: string | null): ListedLeader | undefined {
  return json === null ? undefined : (JSON.parse(json) as ListedLeader);
}

/** Returns the row of a tournament in a list that mixes tournaments of every status. */
export function eventRow(
  site: SiteSettings,
  event: Event,
  past: Past | undefined,
  { leader, club }: { leader?: ListedLeader | undefined; club?: string | undefined } = {},
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

function leading({ words }: SiteSettings, { player, faction, round }: ListedLeader): Html {
  const t = words.events;
  const person = player === null ? words.stored.erased : name(player);
  if (round === undefined) return faction ? t.wonWith(person, name(faction)) : t.won(person);
  return t.leaderAfter(round, faction ? html`${person}, ${name(faction)}` : person);
}

/**
 * Returns the badge for the status. A finished tournament has none, because most tournaments are finished.
 */
export function statusBadge(
  { words }: SiteSettings,
  { status }: Pick<Event, 'status'>,
  past: Past | undefined,
): Html[] {
  const t = words.events;
  if (status === 'finished') return [];
  if (past !== undefined) return [html`<span class="badge">${pastWords(words, past)}</span>`];
  return [
    status === 'ongoing'
      ? html`<span class="badge on">${t.running}</span>`
      : html`<span class="badge">${t.upcoming}</span>`,
  ];
}

/** Says when the last result came, for a tournament that its source still calls running. */
export function pastWords(words: Words, { lastResult }: Past): Html | string {
  return lastResult === null ? words.event.unfinished : words.events.lastResult(words.day(lastResult));
}

/**
 * Draws a tournament that is being played, in the colour of its club and with the number of results that are
 * in.
 */
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

/**
 * Returns the location and the number of participants, and for a planned tournament the size of the armies.
 */
function factsOf({ words }: SiteSettings, event: Event): (Html | string)[] {
  const isPlanned = event.status === 'planned';
  const where = cityAndCountry(event);
  return [
    ...(where === undefined ? [] : [where]),
    isPlanned ? words.events.signedUp(event.players) : words.players(event.players),
    ...(isPlanned ? [words.points(event.battleSize)] : []),
  ];
}

/** Returns the link by which feed readers find the results. */
export function feedLink(site: SiteSettings): Html {
  return html`<link rel="alternate" type="application/atom+xml" title="${site.words.events.finishedFeed}" href="${fileTo(site, '/tournaments.atom')}">\n`;
}
