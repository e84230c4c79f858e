import type { BoardRow } from '../../contract/standings.ts';
import type { Tournament } from '../../contract/tournament.ts';
import { html, joined, type Html } from './html.ts';
import { fileTo, pathTo, type SiteSettings } from '../site-settings.ts';
import { badgeWords, type Rounds } from '../now/current-round.ts';
import { name, place } from './names.ts';
import { stageName } from '../words/stored.ts';

/** A tournament as a stored document has it. */
export type Event = Omit<Tournament, 'url'>;

/** How far it is. */
export interface EventState extends Rounds {
  /** The stage that play has reached. */
  stage: string | null;
  /** Who leads, or who won. */
  leader: Leader | undefined;
}

export function eventList(items: readonly Html[], isWide = false): Html {
  return html`<ul class="events${isWide && ' wide'}">${items}</ul>`;
}

/** Who won or leads. The name is null when it was erased. */
export type Leader = Pick<BoardRow, 'player' | 'faction'>;

export function leaderIn(json: string | null): Leader | undefined {
  return json === null ? undefined : (JSON.parse(json) as Leader);
}

/** In a list of all kinds. */
export function eventItem(
  site: SiteSettings,
  event: Event,
  since: string | undefined,
  leader?: Leader,
): Html {
  const lines = [
    html`${statusBadge(site, event, since).map((badge) => html`${badge} `)}${joined(facts(site, event), ' · ')}`,
  ];
  if (leader) lines.push(leading(site, event, leader));
  return item(
    site,
    event,
    html`<span class="when">${site.words.days(event.startDate, event.endDate)}</span>`,
    lines,
  );
}

function leading({ words }: SiteSettings, { status }: Event, { player, faction }: Leader): Html {
  const said = words.events;
  const person = player === null ? words.stored.erased : name(player);
  if (status === 'finished') return faction ? said.wonWith(person, name(faction)) : said.won(person);
  return said.leading(faction ? html`${person}, ${name(faction)}` : person);
}

/** None when it is over: most are. `since`: an old event has had no results since then. */
export function statusBadge(
  { words }: SiteSettings,
  { status }: Pick<Event, 'status'>,
  since: string | undefined,
): Html[] {
  const said = words.events;
  if (status === 'finished') return [];
  if (since !== undefined) return [html`<span class="badge">${said.noResultsSince(words.day(since))}</span>`];
  return [
    status === 'ongoing'
      ? html`<span class="badge live">${said.running}</span>`
      : html`<span class="badge">${said.upcoming}</span>`,
  ];
}

export function runningItem(site: SiteSettings, event: Event, state: EventState): Html {
  const stage = event.stages.find(({ id }) => id === state.stage);
  const round =
    stage && state.now.length > 0 ? badgeWords(site.words, stage, state) : site.words.events.running;
  const named =
    event.stages.length > 1 && stage !== undefined ? [name(stageName(site.words, stage.name))] : [];
  const lines = [joined([...facts(site, event), ...named], ' · ')];
  if (state.leader) lines.push(leading(site, event, state.leader));
  return item(site, event, html`<span class="badge live">${round}</span>`, lines);
}

export function finishedItem(site: SiteSettings, event: Event, { leader }: EventState): Html {
  const lines = [joined(facts(site, event), ' · ')];
  if (leader) lines.unshift(leading(site, event, leader));
  return item(
    site,
    event,
    html`<span class="when">${site.words.days(event.startDate, event.endDate)}</span>`,
    lines,
  );
}

export function plannedItem(site: SiteSettings, event: Event): Html {
  const lines = [joined([...facts(site, event, true), site.words.points(event.battleSize)], ' · ')];
  return item(
    site,
    event,
    html`<span class="when">${site.words.days(event.startDate, event.endDate)}</span>`,
    lines,
  );
}

function item(site: SiteSettings, { slug, name: called }: Event, corner: Html, lines: readonly Html[]): Html {
  return html`
<li><a class="name" href="${pathTo(site, `/tournaments/${slug}`)}">${name(called)}</a>${corner}${lines.map((line) => html`<span class="sub clamp">${line}</span>`)}</li>`;
}

/** Where, and how many. */
function facts({ words }: SiteSettings, event: Event, isPlanned = false): (Html | string)[] {
  const where = place(event);
  const players = isPlanned ? words.events.signedUp(event.players) : words.players(event.players);
  return [...(where === undefined ? [] : [where]), players];
}

/** So that a reader of feeds finds the results. */
export function feedLink(site: SiteSettings): Html {
  return html`<link rel="alternate" type="application/atom+xml" title="${site.words.events.finishedFeed}" href="${fileTo(site, '/tournaments.atom')}">\n`;
}
