import type { Battle } from '../../contract/battle.ts';
import type { Tournament } from '../../contract/tournament.ts';
import type { ShownScope } from '../../read/newest-revisions.ts';
import { parseStored } from '../../read/page-address.ts';
import { sortKey } from '../../text/fold.ts';
import { html, type Html, joined } from '../parts/html.ts';
import { earliestLastDay } from '../../read/old-event.ts';
import { isId, type MadePage, type PageRoute } from '../page.ts';
import { battlesOfPlayer, noBattles } from '../parts/battles.ts';
import { sidesWithGuests } from '../parts/guests.ts';
import { listsBrought } from './lists-brought.ts';
import { livePage, liveWith, pulse } from '../now/live.ts';
import { name } from '../parts/names.ts';
import { record } from '../parts/numbers.ts';
import { againstFactions, opponentsSection, playedBy } from './opponents.ts';
import { pageOf, pager } from '../parts/pager.ts';
import { playsNow } from '../now/plays-now.ts';
import { longest, recordTable, summed } from './record-table.ts';
import { listsOf, namesIn, namesShown, type Lists } from '../parts/two-lists.ts';
import { type Live, type PageParts, pathTo, type SiteSettings } from '../site-settings.ts';
import {
  entriesOfPlayer,
  type EntryRow,
  playerOfPage,
  type PlayerEvent,
  type PlayerNow,
  type PlayerPageRow,
  type RecordPart,
} from './statements.ts';

export function playerPage(site: SiteSettings): PageRoute {
  return {
    path: '/players/:id',
    query: ['before', 'tournaments-before'],
    scope: ({ id }) => `player:${id}`,
    make: async ({ params: { id }, query, today, read }) => {
      const lists = listsOf(query);
      if (!isId(id) || lists === undefined) return undefined;
      const { tournaments, battles, isFirst } = lists;
      const values = [id, ...battles.begin, battles.rows, ...tournaments.begin, tournaments.rows];
      const counts = isFirst ? [maxCounted, maxCompared] : [0, 0];
      const rows = await read<PlayerPageRow>(
        playerOfPage,
        [...values, ...counts, earliestLastDay(today)],
        alsoShown,
      );
      const [row] = rows;
      if (row === undefined) return undefined;
      const events = isFirst ? newestEvents(rows) : [];
      const entries =
        events.length === 0
          ? []
          : await read<EntryRow>(entriesOfPlayer, [id, events, sortKey(row.name)], clubsShown);
      return playerText(site, id, row.name, rows, entries, lists, today);
    },
  };
}

/** Reading more would take too long. Hardly any player has more battles. */
const maxCounted = 5_000;
/** For the record against each opponent. */
const maxCompared = 300;
const maxLists = 8;
/** The others are added up in one row. */
const maxFactions = 12;

function alsoShown(rows: PlayerPageRow[]): ShownScope[] {
  const events = rows.flatMap((row): ShownScope[] =>
    row.part === 'event'
      ? [{ scope: `tournament:${String(row.position?.[1])}`, revision: BigInt(row.more.revision) }]
      : [],
  );
  return [...namesShown(rows), ...events];
}

function newestEvents(rows: PlayerPageRow[]): string[] {
  const played = rows.flatMap((row) =>
    row.part === 'event' && row.more.plays ? [String(row.position?.[1])] : [],
  );
  return played.slice(0, maxLists);
}

function clubsShown(entries: EntryRow[]): ShownScope[] {
  return entries.flatMap(({ tournament, participant, club }) =>
    tournament !== null && participant.club !== null
      ? [{ scope: `club:${participant.club}` as const, revision: BigInt(club?.revision ?? 0) }]
      : [],
  );
}

function playerText(
  site: SiteSettings,
  id: string,
  called: string,
  rows: PlayerPageRow[],
  entries: EntryRow[],
  lists: Lists,
  today: string,
): MadePage {
  const { isFirst } = lists;
  const live = isFirst ? liveOf(site, rows, today) : undefined;
  const parts = rows.flatMap((row) => (row.part === 'record' ? [row.more] : []));
  const games = rows.find((row) => row.part === 'games')?.more ?? [];
  const played = playedBy(id, games);
  const names = new Map([...eventsIn(rows)].map(([slug, event]) => [slug, event.name]));
  const page: PageParts = {
    title: called,
    description: site.words.player.description(called),
    canonical: `/players/${id}${lists.suffix}`,
    isPrivate: true,
    hasScript: true,
    main: html`<header class="title" data-follow="${id}">
<h1>${name(called)}</h1>
${clubOf(site, entries)}
</header>
${isFirst && playedNow(site, id, rows)}
${live && pulse}
${isFirst && numbers(site, parts, rows)}
${
  isFirst
    ? html`<div class="columns aside long">
${tournamentsSection(site, id, rows, lists)}
${parts.length > 0 && recordAside(site, parts, againstFactions(site, played, maxFactions))}
${opponentsSection(site, played, games.length < maxCompared)}
${listsBrought(site, entries, names)}
${battlesSection(site, id, rows, lists)}
</div>`
    : lists.battles.rows > 0
      ? battlesSection(site, id, rows, lists)
      : tournamentsSection(site, id, rows, lists)
}`,
  };
  return livePage(site, page, live);
}

/** The club of the newest event that names one. */
function clubOf(site: SiteSettings, entries: readonly EntryRow[]): Html | undefined {
  const entry = entries.find(({ tournament, club }) => tournament !== null && club !== null);
  const slug = entry?.participant.club;
  return entry?.club && slug
    ? html`<p class="meta"><a href="${pathTo(site, `/clubs/${slug}`)}">${name(entry.club.name)}</a></p>`
    : undefined;
}

/** With the running event that began last: a league runs for months, and a game in it may be open for weeks. */
function liveOf(site: SiteSettings, rows: PlayerPageRow[], today: string): Live | undefined {
  const now = rows.find((row) => row.part === 'now');
  const first = now?.part === 'now' ? now.more.tournament : undefined;
  const event = rows.find((row) => row.part === 'event' && row.position?.[1] === first);
  return first !== undefined && event?.part === 'event'
    ? liveWith(site, first, event.more.revision, today)
    : undefined;
}

function playedNow(site: SiteSettings, id: string, rows: PlayerPageRow[]): Html[] {
  const events = eventsIn(rows);
  return nowIn(rows).flatMap((now) => {
    const event = events.get(now.tournament);
    return event ? [playsNow(site, id, event, now)] : [];
  });
}

/** In running events. Where the player sits at a table comes first. */
function nowIn(rows: PlayerPageRow[]): PlayerNow[] {
  const plays = ({ battle, match }: PlayerNow) => Number((battle ?? match) !== null);
  return rows
    .flatMap((row) => (row.part === 'now' ? [row.more] : []))
    .toSorted((a, b) => plays(b) - plays(a));
}

function eventsIn(rows: PlayerPageRow[]): Map<string, Omit<Tournament, 'url'>> {
  return new Map(
    rows.flatMap((row) =>
      row.part === 'event' && row.document !== null
        ? [[String(row.position?.[1]), parseStored<Tournament>(row.document)]]
        : [],
    ),
  );
}

function numbers({ words }: SiteSettings, parts: readonly RecordPart[], rows: PlayerPageRow[]): Html {
  const said = words.player;
  const all = summed('', parts);
  const places = rows.find((row) => row.part === 'places')?.more;
  return html`<dl class="numbers">
<div><dt>${said.battles}</dt><dd>${words.number(all.battles)}${all.battles === maxCounted && html`<span class="sub">${said.onlyNewest}</span>`}</dd></div>
<div><dt>${said.wonDrawnLost}</dt><dd>${record(all)}</dd></div>
<div><dt>${said.tournaments}</dt><dd>${words.number(places?.events ?? 0)}</dd></div>
${places?.best && html`<div><dt>${said.bestPlace}</dt><dd>${words.ordinal(places.best)}</dd></div>`}
</dl>`;
}

function recordAside({ words }: SiteSettings, parts: readonly RecordPart[], against: Html | false): Html {
  const said = words.player;
  const factions = grouped(parts, ({ faction }) => faction ?? '').map(([faction, of]) =>
    summed(faction === '' ? said.notNoted : name(faction), of),
  );
  const years = grouped(parts, ({ year }) => year ?? 0)
    .toSorted(([a], [b]) => b - a)
    .map(([year, of]) => summed(year === 0 ? said.noDate : String(year), of));
  return html`<aside aria-label="${said.recordAside}">
<section aria-labelledby="factions">
<h2 id="factions">${said.withFactions}</h2>
${recordTable(words, said.faction, longest(words, factions, maxFactions))}
</section>
${against}
<section aria-labelledby="years">
<h2 id="years">${said.byYear}</h2>
${recordTable(words, said.year, years)}
</section>
</aside>`;
}

function grouped<Key>(parts: readonly RecordPart[], keyOf: (part: RecordPart) => Key): [Key, RecordPart[]][] {
  return [...Map.groupBy(parts, keyOf)];
}

function tournamentsSection(site: SiteSettings, id: string, rows: PlayerPageRow[], lists: Lists): Html {
  const events = rows.flatMap((row) => (row.part === 'event' ? [row] : []));
  const { shown, next } = pageOf(events, lists.tournaments.rows - 1);
  const said = site.words.player;
  const table = html`<table>
<caption class="vh">${said.newestFirst}</caption>
<thead><tr><th scope="col">${said.tournament}</th><th scope="col" class="n">${said.place}</th></tr></thead>
<tbody>
${shown.map(({ document, more }) => eventRow(site, parseStored<Tournament>(document ?? ''), more))}</tbody>
</table>`;
  return html`<section aria-labelledby="tournaments">
<h2 id="tournaments">${said.tournaments}</h2>
${shown.length === 0 ? html`<p class="empty">${said.noTournament}</p>` : table}
${pager(site, { path: `/players/${id}`, parameter: 'tournaments-before', said: site.words.pages.tournaments, isFirst: lists.isFirst, next })}
</section>`;
}

function eventRow(site: SiteSettings, event: Omit<Tournament, 'url'>, more: PlayerEvent): Html {
  const { words } = site;
  const when = words.days(event.startDate, event.endDate);
  const facts = [
    ...(when === undefined ? [] : [when]),
    ...(more.faction ? [name(more.faction)] : []),
    ...(more.organizes ? [words.player.organiser] : []),
  ];
  const place = html`${more.place === null ? '–' : html`<span class="strong">${words.ordinal(more.place)}</span>`} <span class="sub">${words.player.ofPlayers(event.players)}</span>`;
  return html`<tr><th scope="row"><a class="name" href="${pathTo(site, `/tournaments/${event.slug}`)}">${name(event.name)}</a><span class="sub clamp">${joined(facts, ' · ')}</span></th><td class="n">${more.plays && place}</td></tr>\n`;
}

function battlesSection(site: SiteSettings, id: string, rows: PlayerPageRow[], lists: Lists): Html {
  const { shown, next } = pageOf(
    rows.filter((row) => row.part === 'battle'),
    lists.battles.rows - 1,
  );
  const battles = shown.map(({ document, more: entries }) => {
    const battle = parseStored<Battle>(document ?? '');
    return { ...battle, players: sidesWithGuests(site, battle.tournament, battle.players, entries) };
  });
  return html`<section aria-labelledby="battles">
<h2 id="battles">${site.words.player.battles}</h2>
${battles.length === 0 ? noBattles(site) : battlesOfPlayer(site, id, battles, namesIn(rows))}
${pager(site, { path: `/players/${id}`, parameter: 'before', said: site.words.pages.battles, isFirst: lists.isFirst, next })}
</section>`;
}
