import type { Participant } from '../../contract/participant.ts';
import type { Tournament } from '../../contract/tournament.ts';
import { parseStored } from '../../read/page-address.ts';
import { livePage, liveWith, pulse } from '../now/live.ts';
import { noResultsSince } from '../../read/old-event.ts';
import { openGame } from '../now/plays-now.ts';
import { followQuery, isId, isSlug, type MadePage, type PageRoute } from '../page.ts';
import { guestKey, guestPath } from '../parts/guests.ts';
import { html, type Html } from '../parts/html.ts';
import { erasedName, name } from '../parts/names.ts';
import { decimalsOf, record } from '../parts/numbers.ts';
import { addressOf } from '../parts/pager.ts';
import { type PageParts, pathTo, type SiteSettings } from '../site-settings.ts';
import type { Words } from '../words/en.ts';
import { stageName } from '../words/stored.ts';
import { gamesOf, gamesTable } from './entry-games.ts';
import { entryOfPage, type EntryPageRow } from './entry-statements.ts';
import { listInFull } from './lists-brought.ts';

/** A guest in one event: place, games and list. A registered player has a page over all events instead. */
export function entryPage(site: SiteSettings): PageRoute {
  return {
    path: '/tournaments/:slug/players/:entry',
    query: [],
    scope: ({ slug }) => `tournament:${slug}`,
    make: async ({ params: { slug, entry }, today, read }) => {
      if (!isSlug(slug) || !isId(entry)) return undefined;
      const [row] = await read<EntryPageRow>(entryOfPage, [slug, entry], ([found]) =>
        found?.participant?.club
          ? [{ scope: `club:${found.participant.club}`, revision: BigInt(found.club?.revision ?? 0) }]
          : [],
      );
      if (!row?.participant) return undefined;
      const { player, playerId } = row.participant;
      if (playerId !== null) return { text: undefined, movedTo: `/players/${playerId}` };
      const key = guestKey(site, slug, entry);
      if (key === undefined || player === erasedName) return undefined;
      return entryText(site, key, row.participant, row, today);
    },
  };
}

function entryText(
  site: SiteSettings,
  key: string,
  participant: Participant,
  row: EntryPageRow,
  today: string,
): MadePage {
  const { words } = site;
  const said = words.entry;
  const event = parseStored<Tournament>(row.tournament);
  const isRunning = event.status === 'ongoing' && noResultsSince(row.lastDays, today) === undefined;
  const games = gamesOf(site, event.slug, key, row);
  const last = games.at(-1);
  const isOpen = isRunning && last?.other !== undefined && !last.battle?.own.outcome && !last.outcome;
  const live =
    isRunning && site.savedAt === undefined ? liveWith(site, event.slug, row.revision, today) : undefined;
  const { player, list } = participant;
  const page: PageParts = {
    title: `${player} · ${event.name}`,
    description: said.description(player, event.name),
    canonical: guestPath(key),
    isPrivate: true,
    kind: 'event',
    event: `/tournaments/${event.slug}`,
    hasScript: true,
    main: html`<header class="title" data-follow="${key}">
<h1>${name(player)}</h1>
<p class="meta facts"><a href="${addressOf(site, `/tournaments/${event.slug}`, followQuery(key))}">${name(event.name)}</a>${factsOf(site, participant, row)}</p>
</header>
${isOpen && html`<div class="today">${openGame(site, last.battle?.id ?? null, last.table, last.other)}</div>`}
${live && pulse}
${sums(words, row, event)}
<div class="columns aside">
<section aria-labelledby="rounds">
<h2 id="rounds">${said.roundByRound}</h2>
${games.length === 0 ? html`<p class="empty">${said.noGame}</p>` : gamesTable(site, event.stages, games)}
</section>
<section aria-labelledby="list">
<h2 id="list">${said.armyList}</h2>
${list === null ? html`<p class="empty">${words.battle.noList}</p>` : listInFull(words, list)}
</section>
</div>`,
  };
  return livePage(site, page, live);
}

function factsOf(site: SiteSettings, participant: Participant, { club, stages }: EntryPageRow): Html[] {
  const faction = participant.list?.faction ?? stages?.findLast(({ row }) => row?.faction)?.row?.faction;
  const { group, dropped } = participant;
  return [
    ...(faction ? [html`<span>${name(faction)}</span>`] : []),
    ...(club !== null && participant.club !== null
      ? [html`<a href="${pathTo(site, `/clubs/${participant.club}`)}">${name(club.name)}</a>`]
      : []),
    ...(group === null ? [] : [html`<span>${name(group)}</span>`]),
    ...(dropped ? [html`<span>${site.words.board.dropped}</span>`] : []),
  ];
}

/** Of the final standings, else of the newest board. Its places are those of the event until the field is split. */
function sums(words: Words, { stages }: EntryPageRow, event: Omit<Tournament, 'url'>): Html | false {
  const { number, signed } = words;
  const board = stages?.findLast(({ row }) => row !== null);
  if (!board?.row || event.status === 'planned') return false;
  const { rank, group, battlePoints, victoryPoints, victoryPointsDiff } = board.row;
  const isOver = event.status === 'finished';
  const isSplit = board.stage === 'placement-swiss' || stages?.some(({ matches }) => matches !== null);
  const stage = event.stages.find(({ id }) => !isOver && isSplit && id === board.stage);
  const part = group ?? (stage && stageName(words, stage.name));
  const of = part === undefined ? words.player.ofPlayers(event.players) : words.entry.inPart(name(part));
  return html`<dl class="numbers">
<div><dt>${isOver ? words.player.place : words.entry.placeSoFar}</dt><dd>${rank === null ? '–' : words.ordinal(rank)}<span class="sub">${of}</span></dd></div>
<div><dt>${words.player.wonDrawnLost}</dt><dd>${record(board.row)}</dd></div>
<div><dt>${words.battle.battlePoints}</dt><dd>${number(battlePoints, decimalsOf([battlePoints]))}</dd></div>
<div><dt>${words.battle.victoryPoints}</dt><dd>${number(victoryPoints, decimalsOf([victoryPoints]))}<span class="sub">${signed(victoryPointsDiff, decimalsOf([victoryPointsDiff]))}</span></dd></div>
</dl>`;
}
