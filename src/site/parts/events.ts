import type { BoardRow } from '../../contract/standings.ts';
import type { Tournament } from '../../contract/tournament.ts';
import { html, joined, type Html } from './html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import { badgeWords, type Rounds } from '../now/current-round.ts';
import { day, days } from './dates.ts';
import { erasedName, name, place } from './names.ts';
import { counted, number } from './numbers.ts';

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
    html`${statusBadge(event, since).map((badge) => html`${badge} `)}${joined(facts(event), ' · ')}`,
  ];
  if (leader) lines.push(leading(event, leader));
  return item(site, event, html`<span class="when">${days(event.startDate, event.endDate)}</span>`, lines);
}

function leading({ status }: Event, leader: Leader): Html {
  return status === 'finished' ? who(leader, ' won with ', ' won') : html`Leading: ${who(leader, ', ')}`;
}

/** None when it is over: most are. `since`: an old event has had no results since then. */
export function statusBadge({ status }: Pick<Event, 'status'>, since: string | undefined): Html[] {
  if (status === 'finished') return [];
  if (since !== undefined) return [html`<span class="badge">No results since ${day(since)}</span>`];
  return [
    status === 'ongoing'
      ? html`<span class="badge live">Running</span>`
      : html`<span class="badge">Upcoming</span>`,
  ];
}

export function runningItem(site: SiteSettings, event: Event, state: EventState): Html {
  const stage = event.stages.find(({ id }) => id === state.stage);
  const round = stage && state.now.length > 0 ? badgeWords(stage, state) : 'Running';
  const named = event.stages.length > 1 && stage !== undefined ? [name(stage.name)] : [];
  const lines = [joined([...facts(event), ...named], ' · ')];
  if (state.leader) lines.push(leading(event, state.leader));
  return item(site, event, html`<span class="badge live">${round}</span>`, lines);
}

export function finishedItem(site: SiteSettings, event: Event, { leader }: EventState): Html {
  const lines = [joined(facts(event), ' · ')];
  if (leader) lines.unshift(leading(event, leader));
  return item(site, event, html`<span class="when">${days(event.startDate, event.endDate)}</span>`, lines);
}

export function plannedItem(site: SiteSettings, event: Event): Html {
  const lines = [joined([...facts(event, 'signed up'), `${number(event.battleSize)} points`], ' · ')];
  return item(site, event, html`<span class="when">${days(event.startDate, event.endDate)}</span>`, lines);
}

function item(site: SiteSettings, { slug, name: called }: Event, corner: Html, lines: readonly Html[]): Html {
  return html`
<li><a class="name" href="${pathTo(site, `/tournaments/${slug}`)}">${name(called)}</a>${corner}${lines.map((line) => html`<span class="sub clamp">${line}</span>`)}</li>`;
}

/** Where, and how many. */
function facts(event: Event, signedUp?: string): (Html | string)[] {
  const where = place(event);
  const players =
    signedUp === undefined ? counted(event.players, 'player') : `${number(event.players)} ${signedUp}`;
  return [...(where === undefined ? [] : [where]), players];
}

function who({ player, faction }: Leader, withFaction: string, alone = ''): Html {
  const person = player === null ? erasedName : name(player);
  return faction ? html`${person}${withFaction}${name(faction)}` : html`${person}${alone}`;
}

/** So that a reader of feeds finds the results. */
export function feedLink(site: SiteSettings): Html {
  return html`<link rel="alternate" type="application/atom+xml" title="Finished tournaments" href="${pathTo(site, '/tournaments.atom')}">\n`;
}
