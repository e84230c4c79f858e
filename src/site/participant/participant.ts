import type { Participant } from '../../contract/participant.ts';
import { type AdjustmentView, type PageOnlyRow, pageOnlyRow } from '../../published/views.ts';
import { livePage, pulse } from '../parts/live.ts';
import { clubShown } from '../parts/named-clubs.ts';
import { isId, isSlug, type MadePage, type PageRoute } from '../page.ts';
import { crest, disc, hueOf } from '../parts/crest.ts';
import { withGuest } from '../parts/guests.ts';
import { html, joined, type Html } from '../html.ts';
import { erasedName, name, participantLink } from '../parts/names.ts';
import { decimalsOf, winsDrawsLosses } from '../parts/numbers.ts';
import { penaltyWords, pointsOf } from '../parts/penalty.ts';
import { shownRank } from '../parts/shown-rank.ts';
import { type PageParts, pathTo, type SiteSettings } from '../site-settings.ts';
import { shownClub, shownTournament, type ShownTournament } from '../tournament-parts/tournament-frame.ts';
import type { Words } from '../words/en.ts';
import { matchName } from '../words/stored.ts';
import { type EntryGame, participantGames, stateOf } from './games.ts';
import { pathThroughRounds } from './path-through.ts';
import { entryOfPage, type EntryPageRow } from './statements.ts';
import { listInFull } from '../parts/lists-brought.ts';

/**
 * Shows one participant of one tournament: how they are doing, whom they play at which table, their games and
 * their army list.
 */
export function entryPage(site: SiteSettings): PageRoute {
  return {
    path: '/tournaments/:slug/players/:entry',
    query: [],
    scope: ({ slug }) => `tournament:${slug}`,
    make: async ({ params: { slug, entry }, today, read }) => {
      if (!isSlug(slug) || !isId(entry)) return undefined;
      const [row] = await read<EntryPageRow>(entryOfPage, [slug, entry], ([first]) =>
        first ? [...shownClub(first), ...clubShown(first.participant?.club, first.ownClub)] : [],
      );
      if (!row?.participant || row.document === null) return undefined;
      const { player, playerId } = row.participant;
      if (playerId === null && (player === erasedName || !site.hasGuests)) return undefined;
      return entryText(site, entry, row.participant, shownTournament(site, row, row.document, today), row);
    },
  };
}

function entryText(
  site: SiteSettings,
  entry: string,
  participant: Participant,
  tournament: ShownTournament,
  row: EntryPageRow,
): MadePage {
  const { words } = site;
  const t = words.entry;
  const { player, playerId, list } = participant;
  const { path, organizingClub: club, isRunning } = tournament;
  const ownRows = ownRowsOf(row);
  const faction = factionOf(participant, row);
  const games = participantGames(entry, tournament, row);
  const { withGame, penalties } = ownPart(site, tournament, games, ownRows);
  const isLive = isRunning && site.savedAt === undefined;
  const page: PageParts = {
    title: `${player} · ${tournament.name}`,
    description: t.description(player, tournament.name),
    canonical: `${path}/players/${entry}`,
    isPrivate: true,
    kind: 'event',
    hue: club === null ? undefined : hueOf(club),
    event: path,
    hasScript: true,
    main: html`<header class="banner top${club !== null && ` ${hueOf(club)}`}">
<p class="by">${club !== null && disc(club)}<a href="${pathTo(site, path)}">${name(tournament.name)}</a></p>
<div class="me-head">${faction !== undefined && crest(faction)}<div><h1 data-follow="${playerId ?? `${tournament.slug}/${entry}`}">${name(player)}</h1>
<p class="facts">${factsOf(site, participant, row, ownRows)}</p></div></div>
</header>
${isLive && pulse}
${sums(words, tournament, row, ownRows)}
${withGame}
<div class="cols">
<section class="sec" aria-labelledby="rounds">
<h2 id="rounds">${t.roundByRound}</h2>
${games.length === 0 ? html`<p class="empty">${t.noGame}</p>` : pathThroughRounds(site, tournament, games, { rankAfter: ranksOf(ownRows, participant, tournament), hasDropped: participant.dropped })}
${penalties}
</section>
<section class="sec" aria-labelledby="list">
<h2 id="list">${t.armyList}</h2>
${list === null ? html`<p class="empty">${words.battle.noList}</p>` : listInFull(words, list)}
</section>
</div>
${playerId !== null && html`<p><a href="${pathTo(site, `/players/${playerId}`)}">${t.allEvents(name(player))}</a></p>`}`,
  };
  return livePage(site, page, isLive);
}

/** The details of the participant's row on each board, by stage. */
type OwnRows = ReadonlyMap<string, PageOnlyRow>;

function ownRowsOf({ stages }: EntryPageRow): OwnRows {
  return new Map(
    (stages ?? []).flatMap(([stage, row, at, view]) =>
      row === null ? [] : [[stage, pageOnlyRow(view, at)]],
    ),
  );
}

function factionOf({ list }: Participant, { stages }: EntryPageRow): string | undefined {
  return list?.faction ?? stages?.findLast(([, row]) => row?.faction)?.[1]?.faction ?? undefined;
}

function factsOf(site: SiteSettings, participant: Participant, row: EntryPageRow, ownRows: OwnRows): Html {
  const t = site.words.board;
  const faction = factionOf(participant, row);
  const { group, dropped, club } = participant;
  const isNoShow = [...ownRows.values()].some((each) => each.isNoShow);
  const facts = [
    faction !== undefined && html`<span>${name(faction)}</span>`,
    row.ownClub !== null &&
      club !== null &&
      html`<a href="${pathTo(site, `/clubs/${club}`)}">${name(row.ownClub.name)}</a>`,
    group !== null && html`<span>${name(group)}</span>`,
    isNoShow
      ? html`<span class="tag">${t.noShow}</span>`
      : dropped && html`<span class="tag">${t.droppedOut}</span>`,
  ];
  return html`${facts}`;
}

/** Returns the game that is being played, and the points that an organiser took or gave. */
function ownPart(
  site: SiteSettings,
  tournament: ShownTournament,
  games: readonly EntryGame[],
  ownRows: OwnRows,
): { withGame: Html | false; penalties: Html[] } {
  const { words } = site;
  const open = games.filter((game) => stateOf(tournament, game) === 'playing');
  const newest = open.at(-1);
  // The board shows the first table of the newest round, too.
  const current = open
    .filter(({ stage, round }) => stage === newest?.stage && round === newest.round)
    .toSorted((a, b) => (a.table ?? Infinity) - (b.table ?? Infinity))[0];
  const penalties = longest([...ownRows.values()].map(({ adjustments = [] }) => adjustments));
  return {
    withGame: current !== undefined && playedNow(site, tournament, current),
    penalties: penalties.map(
      (each) => html`<p class="note"><b class="warn">${penaltyWords(words, each)}</b></p>
`,
    ),
  };
}

/** A later board repeats the points that it carries over, so each of them is taken from one board. */
function longest(boards: readonly AdjustmentView[][]): AdjustmentView[] {
  const found = new Map<string, AdjustmentView[]>();
  for (const own of boards) {
    for (const [key, same] of Map.groupBy(own, (each) => JSON.stringify(each)))
      if (same.length > (found.get(key)?.length ?? 0)) found.set(key, same);
  }
  return [...found.values()].flat();
}

function playedNow(site: SiteSettings, { slug }: ShownTournament, game: EntryGame): Html {
  const { words } = site;
  const { sides, table, round, title, scenario, battle } = game;
  const other = sides && withGuest(site, slug, sides.other);
  const facts = [
    title === undefined ? words.rounds.round(round) : name(matchName(words, title)),
    ...(scenario ? [name(scenario)] : []),
  ];
  const number = table !== null && html`<b><span><small>${words.match.table}</small>${table}</span></b>`;
  return html`<section class="card big" aria-label="${words.player.playingNow}">${number}<span><span class="sub">${joined([...facts, words.battle.versus], ' · ')}</span>${other && participantLink(site, other)}<span class="sub">${joined(
    [
      ...(other?.faction ? [name(other.faction)] : []),
      ...(battle ? [html`<a href="${pathTo(site, `/battles/${battle}`)}">${words.entry.bothLists}</a>`] : []),
    ],
    ' · ',
  )}</span></span></section>`;
}

/** Returns the rank on a board after a complete round. */
type RankAfter = (stage: string, round: number) => number | null | undefined;

function ranksOf(ownRows: OwnRows, { group }: Participant, { played }: ShownTournament): RankAfter {
  return (stage, round) => {
    const { ranks = [] } = ownRows.get(stage) ?? {};
    const complete = played.find(({ id }) => id === stage)?.complete ?? [];
    const own = complete.find((each) => each.group === undefined || each.group === group);
    return own && ranks[own.rounds.indexOf(round)];
  };
}

/**
 * Shows the numbers of the final standings, otherwise those of the newest board. The ranks of that board are
 * those of the tournament until the field is split.
 */
function sums(
  words: Words,
  event: ShownTournament,
  { stages }: EntryPageRow,
  ownRows: OwnRows,
): Html | false {
  const { number, signed } = words;
  const boards = stages?.filter(([, each]) => each !== null) ?? [];
  // A feed may already name those who will play in a later stage.
  const hasBegun = (id: string) =>
    id === 'standings' || event.played.some((each) => each.id === id && each.begun > 0);
  const [board, row] = boards.findLast(([id]) => hasBegun(id)) ?? boards[0] ?? [];
  if (!row || board === undefined || event.status === 'planned') return false;
  const { adjustments = [], ranks = [], isNoShow, isUnplaced } = ownRows.get(board) ?? {};
  if (isNoShow) return false;
  const { group, battlePoints, victoryPoints, victoryPointsDiff } = row;
  const rank = shownRank({ ...row, isUnplaced });
  const isOver = event.status === 'finished';
  const isSplit = board === 'placement-swiss' || stages?.some(([, each]) => each === null);
  const stage = event.stages.find(({ id }) => !isOver && isSplit && id === board);
  const part = group ?? stage?.name;
  const of = part === undefined ? words.player.ofPlayers(event.players) : words.entry.inPart(name(part));
  const before = ranks.at(-1);
  const complete = event.played.find(({ id }) => id === board)?.complete ?? [];
  const last = complete.find((each) => each.group === undefined || each.group === group)?.round ?? 0;
  const isBetween = event.played.find(({ id }) => id === board)?.begun === last;
  const changed = !isOver && !isBetween && before !== undefined && before !== null && last > 0;
  return html`<dl class="stats">
<div><dt>${isOver ? words.player.rank : words.entry.rankSoFar}</dt><dd>${rank === null ? '–' : words.ordinal(rank)} <small>${of}</small></dd>${changed && html`<dd>${words.entry.rankAfter(words.ordinal(before), last)}</dd>`}</div>
<div><dt><abbr title="${words.board.wins[1]}">${words.board.wins[0]}</abbr></dt><dd>${winsDrawsLosses(row)}</dd></div>
<div><dt><abbr title="${words.board.battlePoints[1]}">${words.board.battlePoints[0]}</abbr></dt><dd>${number(battlePoints, decimalsOf([battlePoints]))}${adjustments.map((each) => html` <small class="warn">${pointsOf(words, each)}</small>`)}</dd></div>
<div><dt><abbr title="${words.board.victoryPoints[1]}">${words.board.victoryPoints[0]}</abbr></dt><dd>${number(victoryPoints, decimalsOf([victoryPoints]))} <small><abbr title="${words.board.difference[1]}">${words.board.difference[0]}</abbr> ${signed(victoryPointsDiff, decimalsOf([victoryPointsDiff]))}</small></dd></div>
</dl>`;
}
