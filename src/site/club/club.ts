import type { Battle } from '../../contract/battle.ts';
import type { Club } from '../../contract/club.ts';
import type { Tournament } from '../../contract/tournament.ts';
import type { ShownScope } from '../../read/newest-revisions.ts';
import { parseStored } from '../../read/page-address.ts';
import { framed } from '../parts/frame.ts';
import { href, html, type Html, joined } from '../html.ts';
import { compareText } from '../../text/fold.ts';
import { pastEvent } from '../../read/being-played.ts';
import { isSlug, type PageRoute } from '../page.ts';
import { banner, signOfClub } from '../parts/banner.ts';
import { battlesOfAll, noBattles } from '../parts/battles.ts';
import { crestOf } from '../parts/crest.ts';
import { eventRow, leaderIn } from '../parts/events.ts';
import { withGuest } from '../parts/guests.ts';
import { linkedText } from '../parts/linked-text.ts';
import { name, participantLink, cityAndCountry } from '../parts/names.ts';
import { winsDrawsLosses } from '../parts/numbers.ts';
import { firstPageOf, pager } from '../parts/pager.ts';
import { factionRecordTable } from '../parts/records.ts';
import { type ListRow, rowList } from '../parts/rows.ts';
import { listsOf, namesIn, namesShown, type Lists } from '../parts/two-lists.ts';
import { fileTo, type SiteSettings } from '../site-settings.ts';
import { clubOfPage, type ClubPageRow, type ClubResult } from './statements.ts';

export function clubPage(site: SiteSettings): PageRoute {
  return {
    path: '/clubs/:slug',
    query: ['before', 'tournaments-before'],
    scope: ({ slug }) => `club:${slug}`,
    make: async ({ params: { slug }, query, today, read }) => {
      const lists = listsOf(query);
      if (!isSlug(slug) || lists === undefined) return undefined;
      const { tournaments, battles } = lists;
      const counted = lists.isFirst ? [maxCounted, maxResults] : [0, 0];
      const values = [
        slug,
        ...tournaments.begin,
        tournaments.rows,
        ...battles.begin,
        battles.rows,
        ...counted,
      ];
      const rows = await read<ClubPageRow>(clubOfPage, values, alsoShown);
      const [first] = rows;
      return first && { text: clubText(site, parseStored<Club>(first.club), rows, lists, today) };
    },
  };
}

/** How many of the newest entries of a club's players count for its factions. */
const maxCounted = 200;
const maxResults = 8;
const maxFactions = 6;

function alsoShown(rows: ClubPageRow[]): ShownScope[] {
  const results = rows.flatMap((row): ShownScope[] =>
    row.part === 'result'
      ? [
          { scope: `tournament:${row.more.tournament}`, revision: BigInt(row.more.tournamentRevision) },
          { scope: `player:${row.more.player}`, revision: BigInt(row.more.playerRevision) },
        ]
      : [],
  );
  return [...namesShown(rows), ...results];
}

function clubText(
  site: SiteSettings,
  club: Omit<Club, 'url'>,
  rows: ClubPageRow[],
  lists: Lists,
  today: string,
): string {
  const t = site.words.clubs;
  const website = href(club.website);
  const facts = [
    cityAndCountry(club),
    t.members(club.members),
    html`<a href="${fileTo(site, `/clubs/${club.slug}/tournaments.ics`)}">${t.calendar}</a>`,
    website !== undefined && html`<a href="${website}" rel="nofollow noopener">${t.website}</a>`,
  ].filter((fact) => fact !== undefined && fact !== false);
  const text = club.description.trim();
  const sign = signOfClub(club.name);
  return framed(site, {
    title: club.name,
    description: t.description(club.name),
    canonical: `/clubs/${club.slug}${lists.suffix}`,
    isPrivate: !lists.isFirst,
    hue: sign.hue,
    main: html`${banner({
      sign,
      title: name(club.name),
      facts,
      more: lists.isFirst && text !== '' && html`<p class="prose" lang="" dir="auto">${linkedText(text)}</p>`,
    })}
${lists.tournaments.rows > 0 && tournamentsSection(site, club, rows, lists, today)}
${
  lists.isFirst &&
  html`<div class="cols">
${resultsSection(site, rows, today)}
${factionsSection(site, rows)}
</div>`
}
${lists.battles.rows > 0 && battlesSection(site, club, rows, lists)}`,
  });
}

/** Shows how the club's players did in their newest tournaments. */
function resultsSection(site: SiteSettings, rows: readonly ClubPageRow[], today: string): Html | undefined {
  const { words } = site;
  const results = rows.flatMap((row) => (row.part === 'result' ? [row] : []));
  if (results.length === 0) return undefined;
  const shown = results
    .map(({ document, more }) => ({ more, event: parseStored<Tournament>(document ?? '') }))
    .toSorted(
      (a, b) =>
        compareText(b.event.startDate ?? '', a.event.startDate ?? '') ||
        compareText(b.event.slug, a.event.slug) ||
        (a.more.placement ?? Infinity) - (b.more.placement ?? Infinity),
    );
  const items = shown.map(({ event, more }): ListRow => {
    const who = { player: more.name, playerId: more.player, entry: more.entry };
    const when = words.days(event.startDate, event.endDate, true);
    return {
      crest: crestOf(more.faction),
      title: participantLink(site, withGuest(site, event.slug, who)),
      lines: [joined([name(event.name), ...(when === undefined ? [] : [when])], ' · ')],
      end: endOf(site, event, more, today),
    };
  });
  return html`<section class="sec" aria-labelledby="results">
<h2 id="results">${words.clubs.results}</h2>
${rowList(items)}
</section>`;
}

/** Returns the final placement, or the record so far until there is one. */
function endOf(
  { words }: SiteSettings,
  { players, status }: Pick<Tournament, 'players' | 'status'>,
  more: ClubResult,
  today: string,
): Html {
  if (more.placement !== null) {
    return html`<b>${words.ordinal(more.placement)}</b><span class="sub">${words.player.ofPlayers(players)}</span>`;
  }
  const isRunning = status === 'ongoing' && pastEvent(more.lastDays, today) === undefined;
  return html`<b>${winsDrawsLosses(more)}</b>${isRunning && html`<span class="sub at">${words.events.running}</span>`}`;
}

function factionsSection({ words }: SiteSettings, rows: readonly ClubPageRow[]): Html | undefined {
  const factions = rows.flatMap((row) => (row.part === 'faction' ? [row.more] : []));
  if (factions.length === 0) return undefined;
  const entries = factions.reduce((sum, each) => sum + each.entries, 0);
  return html`<section class="sec" aria-labelledby="factions">
<h2 id="factions">${words.event.factionsPlayed}</h2>
${factionRecordTable(
  words,
  factions.map((each) => ({ ...each, note: words.factions.entries(each.entries) })),
  maxFactions,
)}
${entries === maxCounted && html`<p class="sub">${words.clubs.newestEntries(maxCounted)}</p>`}
</section>`;
}

function tournamentsSection(
  site: SiteSettings,
  club: Omit<Club, 'url'>,
  rows: ClubPageRow[],
  lists: Lists,
  today: string,
): Html {
  const { shown, next } = firstPageOf(
    rows.flatMap((row) => (row.part === 'event' ? [row] : [])),
    lists.tournaments.rows - 1,
  );
  const events = shown.map(({ document, more }) =>
    eventRow(site, parseStored<Tournament>(document ?? ''), pastEvent(more.lastDays, today), {
      leader: leaderIn(more.leader),
      club: club.name,
    }),
  );
  const t = site.words.clubs;
  const none = html`<p class="empty">${t.noTournament}</p>`;
  return html`<section class="sec" aria-labelledby="tournaments">
<h2 id="tournaments">${t.tournaments}</h2>
${events.length === 0 ? none : rowList(events, 'two-up')}
${pager(site, { path: `/clubs/${club.slug}`, parameter: 'tournaments-before', t: site.words.pages.tournaments, isFirst: lists.isFirst, next })}
</section>`;
}

function battlesSection(
  site: SiteSettings,
  club: Omit<Club, 'url'>,
  rows: ClubPageRow[],
  lists: Lists,
): Html {
  const { shown, next } = firstPageOf(
    rows.filter(({ part }) => part === 'battle'),
    lists.battles.rows - 1,
  );
  const battles = shown.map(({ document }) => parseStored<Battle>(document ?? ''));
  const t = site.words.clubs;
  return html`<section class="sec" aria-labelledby="battles">
<h2 id="battles">${t.battles}</h2>
${battles.length === 0 ? noBattles(site) : battlesOfAll(site, battles, namesIn(rows))}
${pager(site, { path: `/clubs/${club.slug}`, parameter: 'before', t: site.words.pages.battles, isFirst: lists.isFirst, next })}
</section>`;
}
