import type { Battle } from '../../contract/battle.ts';
import type { BoardRow } from '../../contract/standings.ts';
import type { Tournament } from '../../contract/tournament.ts';
import type { ShownScope } from '../../read/newest-revisions.ts';
import type { LastDays } from '../../read/last-days.ts';
import { parseStored } from '../../read/page-address.ts';
import { html, type Html, joined } from '../html.ts';
import { earliestLastDay, pastEvent } from '../../read/being-played.ts';
import { isId, type MadePage, type PageRoute } from '../page.ts';
import { banner, signOfClub } from '../parts/banner.ts';
import { playerBattleList, noBattles } from '../parts/battles.ts';
import { crestOf } from '../parts/crest.ts';
import { sidesWithGuests, withGuest } from '../parts/guests.ts';
import { livePage, pulse } from '../parts/live.ts';
import { clubShown } from '../parts/named-clubs.ts';
import { name, participantLink } from '../parts/names.ts';
import { winsDrawsLosses } from '../parts/numbers.ts';
import { againstFactions, opponentsSection, playedBy } from './opponents.ts';
import { firstPageOf, pager } from '../parts/pager.ts';
import { pathDots } from '../parts/path.ts';
import { factionRecordTable, gamesPlayed, summed } from '../parts/records.ts';
import { type ListRow, rowList } from '../parts/rows.ts';
import { openIn } from './open-battle.ts';
import { listsOf, namesIn, namesShown, type Lists } from '../parts/two-lists.ts';
import { type PageParts, pathTo, type SiteSettings } from '../site-settings.ts';
import type { Words } from '../words/en.ts';
import {
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
      return row && playerText(site, id, row.name, rows, lists, today);
    },
  };
}

/** Reading more would take too long. Hardly any player has more battles. */
const maxCounted = 5_000;
/** How many battles the record against each opponent covers. */
const maxCompared = 300;
/** The remaining factions are added up in one line. */
const maxFactions = 5;

function alsoShown(rows: PlayerPageRow[]): ShownScope[] {
  const more = rows.flatMap((row): ShownScope[] => {
    if (row.part === 'event')
      return [{ scope: `tournament:${String(row.position?.[1])}`, revision: BigInt(row.more.revision) }];
    if (row.part === 'best') {
      const { slug } = parseStored<Tournament>(row.document ?? '');
      return [{ scope: `tournament:${slug}`, revision: BigInt(row.more.revision) }];
    }
    return row.part === 'club' && row.more !== null ? clubShown(row.more.slug, row.more) : [];
  });
  return [...namesShown(rows), ...more];
}

function playerText(
  site: SiteSettings,
  id: string,
  called: string,
  rows: PlayerPageRow[],
  lists: Lists,
  today: string,
): MadePage {
  const { isFirst } = lists;
  const { words } = site;
  const now = isFirst ? nowIn(rows) : [];
  const isLive = site.savedAt === undefined && now.length > 0;
  const parts = rows.flatMap((row) => (row.part === 'record' ? [row.more] : []));
  const games = rows.find((row) => row.part === 'games')?.more ?? [];
  const against = playedBy(id, games);
  const club = rows.find((row) => row.part === 'club')?.more ?? undefined;
  const sign = club && signOfClub(club.name);
  const since = rows.find((row) => row.part === 'placements')?.more.since ?? null;
  const page: PageParts = {
    title: called,
    description: words.player.description(called),
    canonical: `/players/${id}${lists.suffix}`,
    isPrivate: true,
    hasScript: true,
    hue: sign?.hue,
    main: html`${banner({
      sign,
      title: name(called),
      facts: [
        ...(club === undefined
          ? []
          : [html`<a href="${pathTo(site, `/clubs/${club.slug}`)}">${name(club.name)}</a>`]),
        ...(since === null ? [] : [words.player.since(since)]),
      ],
      followed: id,
    })}
${isLive && pulse}
${
  isFirst &&
  html`${numbers(site, parts, rows)}
${playedNow(site, rows, now)}
<div class="cols">
${tournamentsSection(site, id, rows, lists, today, now)}
<div>
${parts.length > 0 && factionsSection(words, parts)}
${opponentsSection(site, against, games.length < maxCompared)}
${againstFactions(words, against, maxFactions)}
</div>
</div>`
}
${isFirst || lists.battles.rows > 0 ? battlesSection(site, id, rows, lists) : tournamentsSection(site, id, rows, lists, today, now)}`,
  };
  return livePage(site, page, isLive);
}

function playedNow(site: SiteSettings, rows: PlayerPageRow[], nows: readonly Now[]): Html[] {
  const events = eventsIn(rows);
  return nows.flatMap((now) => {
    const event = events.get(now.tournament);
    return event ? [nowCard(site, event, now)] : [];
  });
}

/** Shows where a player is in a running tournament: the table, the opponent and the rank so far. */
function nowCard(site: SiteSettings, event: Omit<Tournament, 'url'>, now: Now): Html {
  const { words } = site;
  const t = words.player;
  const path = `/tournaments/${event.slug}`;
  const link = html`<a href="${pathTo(site, path)}">${name(event.name)}</a>`;
  const where = () => {
    if (!now.row?.rank) return t.takesPart(link);
    const { rank, group } = now.row;
    return group ? t.rankInGroup(rank, name(group), link) : t.rankSoFar(rank, event.players, link);
  };
  const { game } = now;
  if (game === undefined) return html`<div class="card big"><span>${where()}</span></div>\n`;
  const { battle, table, other } = game;
  const playing =
    battle === null
      ? html`${t.playingNow}`
      : html`<a href="${pathTo(site, `/battles/${battle}`)}">${t.playingNow}</a>`;
  return html`<div class="card big">${table !== null && html`<b><span><small>${words.match.table}</small>${table}</span></b>`}<span><span class="sub">${playing}, ${words.battle.versus}</span>${participantLink(site, withGuest(site, event.slug, other))}<span class="sub">${where()}</span></span></div>
`;
}

interface Now extends PlayerNow {
  row: BoardRow | undefined;
  game: ReturnType<typeof openIn>;
}

/** Returns the running tournaments of the player, those with an open battle first. */
function nowIn(rows: PlayerPageRow[]): Now[] {
  const plays = ({ game }: Now) => Number(game !== undefined);
  return rows
    .flatMap((row) =>
      row.part === 'now' ? [{ ...row.more, row: placedRow(row.more), game: openIn(row.more) }] : [],
    )
    .toSorted((a, b) => plays(b) - plays(a));
}

/** Returns the player's row on the board if pages show a rank for it. */
function placedRow({ board }: PlayerNow): BoardRow | undefined {
  const { row, at, unplaced } = board ?? {};
  return row && !unplaced?.[at ?? 0] ? row : undefined;
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
  const t = words.player;
  const all = summed(parts);
  const events = rows.find((row) => row.part === 'placements')?.more.events ?? 0;
  const best = rows.find((row) => row.part === 'best');
  return html`<dl class="stats">
<div><dt><abbr title="${t.recordTitle}">${t.record}</abbr></dt><dd>${winsDrawsLosses(all)}${gamesPlayed(all) >= maxCounted && html` <span class="sub">${t.onlyNewest}</span>`}</dd></div>
<div><dt>${t.tournaments}</dt><dd>${words.number(events)}</dd></div>
${best && html`<div><dt>${t.bestPlacement}</dt><dd>${words.ordinal(best.more.placement)} <span class="sub">${t.ofPlayers(parseStored<Tournament>(best.document ?? '').players)}</span></dd></div>`}
</dl>`;
}

function factionsSection(words: Words, parts: readonly RecordPart[]): Html {
  return html`<section class="sec" aria-labelledby="factions">
<h2 id="factions">${words.event.factionsPlayed}</h2>
${factionRecordTable(words, parts, maxFactions)}
</section>`;
}

function tournamentsSection(
  site: SiteSettings,
  id: string,
  rows: PlayerPageRow[],
  lists: Lists,
  today: string,
  now: readonly Now[],
): Html {
  const events = rows.flatMap((row) => (row.part === 'event' ? [row] : []));
  const { shown, next } = firstPageOf(events, lists.tournaments.rows - 1);
  const t = site.words.player;
  const items = shown.map(({ document, more }) => {
    const event = parseStored<Tournament>(document ?? '');
    return eventItem(
      site,
      event,
      more,
      now.find(({ tournament }) => tournament === event.slug),
      today,
    );
  });
  return html`<section class="sec" aria-labelledby="tournaments">
<h2 id="tournaments">${t.tournaments}</h2>
${items.length === 0 ? html`<p class="empty">${t.noTournament}</p>` : rowList(items)}
${pager(site, { path: `/players/${id}`, parameter: 'tournaments-before', t: site.words.pages.tournaments, isFirst: lists.isFirst, next })}
</section>`;
}

/**
 * Returns a row that leads to the player's own page in the tournament, or to the tournament if the player
 * only helps to run it.
 */
function eventItem(
  site: SiteSettings,
  event: Omit<Tournament, 'url'>,
  more: PlayerEvent,
  now: Now | undefined,
  today: string,
): ListRow {
  const { words } = site;
  const when = words.days(event.startDate, event.endDate, true);
  const isRunning =
    event.status === 'ongoing' &&
    pastEvent(JSON.parse(more.lastDays ?? 'null') as LastDays | null, today) === undefined;
  const facts = [
    ...(when === undefined ? [] : [when]),
    ...(more.faction ? [name(more.faction)] : []),
    ...(more.organizes ? [words.player.organiser] : []),
  ];
  const path = `/tournaments/${event.slug}`;
  const isPlaying = now?.game !== undefined;
  const hasDots = more.path !== '' || isPlaying;
  return {
    crest: crestOf(more.faction),
    title: html`<a class="name" href="${pathTo(site, more.entry === null ? path : `${path}/players/${more.entry}`)}">${name(event.name)}</a>`,
    lines: [
      joined(facts, ' · '),
      ...(hasDots
        ? [
            pathDots(
              words,
              isPlaying ? { ...more, playing: { table: null } } : more,
              isRunning ? (event.stages.find(({ type }) => type === 'board')?.rounds ?? 0) : 0,
            ),
          ]
        : []),
    ],
    end: rankInEvent(words, event, more, isRunning ? (now?.row?.rank ?? 0) : undefined),
  };
}

/**
 * Returns the final placement. `rank` is the rank so far in a running tournament, or 0 if it is not known.
 */
function rankInEvent(
  words: Words,
  { players, status }: Pick<Tournament, 'players' | 'status'>,
  { plays, placement }: PlayerEvent,
  rank: number | undefined,
): Html | undefined {
  if (!plays) return undefined;
  if (status === 'planned') return html`<span class="sub">${words.events.upcoming}</span>`;
  if (rank !== undefined)
    return html`${rank > 0 && html`<b class="at">${words.ordinal(rank)}</b>`}<span class="sub">${words.events.running}</span>`;
  if (status === 'ongoing') return html`<span class="sub">${words.event.unfinished}</span>`;
  return html`${placement === null ? '–' : html`<b>${words.ordinal(placement)}</b>`}<span class="sub">${words.player.ofPlayers(players)}</span>`;
}

function battlesSection(site: SiteSettings, id: string, rows: PlayerPageRow[], lists: Lists): Html {
  const { shown, next } = firstPageOf(
    rows.filter((row) => row.part === 'battle'),
    lists.battles.rows - 1,
  );
  const battles = shown.map(({ document, more: entries }) => {
    const battle = parseStored<Battle>(document ?? '');
    return { ...battle, players: sidesWithGuests(site, battle.tournament, battle.players, entries) };
  });
  return html`<section class="sec" aria-labelledby="battles">
<h2 id="battles">${site.words.player.battles}</h2>
${battles.length === 0 ? noBattles(site) : playerBattleList(site, id, battles, namesIn(rows))}
${pager(site, { path: `/players/${id}`, parameter: 'before', t: site.words.pages.battles, isFirst: lists.isFirst, next })}
</section>`;
}
