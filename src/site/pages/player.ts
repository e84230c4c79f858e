import type { Battle } from '../../contract/battle.ts';
import type { Tournament } from '../../contract/tournament.ts';
import type { ShownScope } from '../../read/newest-revisions.ts';
import { parseStored } from '../../read/page-address.ts';
import { framed } from '../frame.ts';
import { html, type Html, joined } from '../html.ts';
import { isId, type PageRoute } from '../page.ts';
import { battlesOfPlayer, noBattles } from '../parts/battles.ts';
import { days } from '../parts/dates.ts';
import { name } from '../parts/names.ts';
import { counted, number, ordinal, record } from '../parts/numbers.ts';
import { addressOf, pageOf, pager } from '../parts/pager.ts';
import { recordTable, type RecordRow } from '../parts/record-table.ts';
import { listsOf, namesIn, namesShown, type Lists } from '../two-lists.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import { playerOfPage, type PlayerEvent, type PlayerPageRow, type RecordPart } from '../statements/player.ts';

export function playerPage(site: SiteSettings): PageRoute {
  return {
    path: '/players/:id',
    query: ['before', 'tournaments-before'],
    scope: ({ id }) => `player:${id}`,
    make: async ({ params: { id }, query, read }) => {
      const lists = listsOf(query);
      if (!isId(id) || lists === undefined) return undefined;
      const { tournaments, battles, isFirst } = lists;
      const values = [id, ...battles.begin, battles.rows, ...tournaments.begin, tournaments.rows];
      const rows = await read<PlayerPageRow>(playerOfPage, [...values, isFirst ? mostCounted : 0], alsoShown);
      return rows[0] && { text: playerText(site, id, rows[0].name, rows, lists) };
    },
  };
}

/** Reading more would take too long. Hardly any player has more battles. */
const mostCounted = 5_000;
/** The others are added up in one row. */
const mostFactions = 12;

function alsoShown(rows: PlayerPageRow[]): ShownScope[] {
  const events = rows.flatMap((row): ShownScope[] =>
    row.part === 'event'
      ? [{ scope: `tournament:${String(row.position?.[1])}`, revision: BigInt(row.more.revision) }]
      : [],
  );
  return [...namesShown(rows), ...events];
}

function playerText(
  site: SiteSettings,
  id: string,
  called: string,
  rows: PlayerPageRow[],
  lists: Lists,
): string {
  const { isFirst } = lists;
  const parts = rows.flatMap((row) => (row.part === 'record' ? [row.more] : []));
  return framed(site, {
    title: called,
    description: `Tournaments and battles of ${called}.`,
    canonical: `/players/${id}${lists.suffix}`,
    isPrivate: true,
    main: html`<header class="title">
<h1>${name(called)}</h1>
</header>
${isFirst && playsNow(site, id, rows)}
${isFirst && numbers(parts, rows)}
${
  isFirst
    ? html`<div class="columns aside">
${tournamentsSection(site, id, rows, lists)}
${parts.length > 0 && recordAside(parts)}
${battlesSection(site, id, rows, lists)}
</div>`
    : lists.battles.rows > 0
      ? battlesSection(site, id, rows, lists)
      : tournamentsSection(site, id, rows, lists)
}`,
  });
}

/** Where the player is in a running event, with the way to the table. */
function playsNow(site: SiteSettings, id: string, rows: PlayerPageRow[]): Html[] {
  const events = new Map(
    rows.flatMap((row) =>
      row.part === 'event' && row.document !== null
        ? [[String(row.position?.[1]), parseStored<Tournament>(row.document)]]
        : [],
    ),
  );
  return rows.flatMap((row) => {
    const event = row.part === 'now' ? events.get(row.more.tournament) : undefined;
    if (row.part !== 'now' || event === undefined) return [];
    const { place, battle } = row.more;
    const of = place?.group ? html`in ${name(place.group)}` : `of ${number(event.players)}`;
    const path = `/tournaments/${event.slug}`;
    const where = battle?.table ? `: table ${battle.table}` : '';
    return [
      html`<div class="today">
${battle && html`<p class="big"><a href="${pathTo(site, `/battles/${battle.id}`)}">Playing now${where}</a></p>`}
<p>${place?.rank ? html`${ordinal(place.rank)} ${of} so far at` : 'Takes part in'} <a href="${addressOf(site, path, { player: id })}">${name(event.name)}</a></p>
</div>\n`,
    ];
  });
}

function numbers(parts: readonly RecordPart[], rows: PlayerPageRow[]): Html {
  const all = sum('', parts);
  const places = rows.find((row) => row.part === 'places')?.more;
  return html`<dl class="numbers">
<div><dt>Battles</dt><dd>${number(all.battles)}${all.battles === mostCounted && html`<span class="sub">the newest, no more are counted</span>`}</dd></div>
<div><dt>Won–drawn–lost</dt><dd>${record(all)}</dd></div>
<div><dt>Tournaments</dt><dd>${number(places?.events ?? 0)}</dd></div>
${places?.best && html`<div><dt>Best place</dt><dd>${ordinal(places.best)}</dd></div>`}
</dl>`;
}

function recordAside(parts: readonly RecordPart[]): Html {
  const factions = grouped(parts, ({ faction }) => faction ?? '')
    .map(([faction, of]) => sum(faction === '' ? 'Not noted' : name(faction), of))
    .toSorted((a, b) => b.battles - a.battles);
  const shown = factions.slice(0, mostFactions);
  const others = factions.slice(mostFactions);
  if (others.length > 0) shown.push(sum(counted(others.length, 'other'), others));
  const years = grouped(parts, ({ year }) => year ?? 0)
    .toSorted(([a], [b]) => b - a)
    .map(([year, of]) => sum(year === 0 ? 'No date' : String(year), of));
  return html`<aside aria-label="Record">
<section aria-labelledby="factions">
<h2 id="factions">By faction</h2>
${recordTable('Faction', shown)}
</section>
<section aria-labelledby="years">
<h2 id="years">By year</h2>
${recordTable('Year', years)}
</section>
</aside>`;
}

function grouped<Key>(parts: readonly RecordPart[], keyOf: (part: RecordPart) => Key): [Key, RecordPart[]][] {
  return [...Map.groupBy(parts, keyOf)];
}

function sum(label: RecordRow['label'], parts: readonly Omit<RecordRow, 'label'>[]): RecordRow {
  const total = { label, battles: 0, wins: 0, draws: 0, losses: 0 };
  for (const { battles, wins, draws, losses } of parts) {
    total.battles += battles;
    total.wins += wins;
    total.draws += draws;
    total.losses += losses;
  }
  return total;
}

function tournamentsSection(site: SiteSettings, id: string, rows: PlayerPageRow[], lists: Lists): Html {
  const events = rows.flatMap((row) => (row.part === 'event' ? [row] : []));
  const { shown, next } = pageOf(events, lists.tournaments.rows - 1);
  const table = html`<table>
<caption class="vh">Tournaments, newest first</caption>
<thead><tr><th scope="col">Tournament</th><th scope="col" class="n">Place</th></tr></thead>
<tbody>
${shown.map(({ document, more }) => eventRow(site, parseStored<Tournament>(document ?? ''), more))}</tbody>
</table>`;
  return html`<section aria-labelledby="tournaments">
<h2 id="tournaments">Tournaments</h2>
${shown.length === 0 ? html`<p class="empty">No tournament is on record.</p>` : table}
${pager(site, { path: `/players/${id}`, parameter: 'tournaments-before', what: 'tournaments', isFirst: lists.isFirst, next })}
</section>`;
}

function eventRow(site: SiteSettings, event: Omit<Tournament, 'url'>, more: PlayerEvent): Html {
  const when = days(event.startDate, event.endDate);
  const facts = [
    ...(when === undefined ? [] : [when]),
    ...(more.faction ? [name(more.faction)] : []),
    ...(more.organizes ? ['Organiser'] : []),
  ];
  const place = html`${more.place === null ? '–' : html`<span class="strong">${ordinal(more.place)}</span>`} <span class="sub">of ${number(event.players)}</span>`;
  return html`<tr><th scope="row"><a class="name" href="${pathTo(site, `/tournaments/${event.slug}`)}">${name(event.name)}</a><span class="sub clamp">${joined(facts, ' · ')}</span></th><td class="n">${more.plays && place}</td></tr>\n`;
}

function battlesSection(site: SiteSettings, id: string, rows: PlayerPageRow[], lists: Lists): Html {
  const { shown, next } = pageOf(
    rows.filter(({ part }) => part === 'battle'),
    lists.battles.rows - 1,
  );
  const battles = shown.map(({ document }) => parseStored<Battle>(document ?? ''));
  return html`<section aria-labelledby="battles">
<h2 id="battles">Battles</h2>
${battles.length === 0 ? noBattles : battlesOfPlayer(site, id, battles, namesIn(rows))}
${pager(site, { path: `/players/${id}`, parameter: 'before', what: 'battles', isFirst: lists.isFirst, next })}
</section>`;
}
