import { hash } from 'node:crypto';
import type { TableRow } from '../database/row.ts';
import { type Changes, plainArray } from './changes.ts';
import type { BattleDocuments, TournamentDocuments } from './derive/documents.ts';
import { nextRevision } from './revisions.ts';
import { comparePlayers } from './site-rows/player-tournaments.ts';
import { compareFactions } from './site-rows/tournament-factions.ts';
import type { StoredBattle, StoredTournament } from './stored.ts';

// Compares the published documents with freshly derived ones. The differences become rows to write and
// revisions to move. If nothing differs, no revision moves.

/** Freshly derived documents of a tournament. */
export type Fresh = Omit<TournamentDocuments, 'participants' | 'battles'> & {
  /** Undefined if they cannot have changed. */
  participants: TournamentDocuments['participants'] | undefined;
  battles: BattleDocuments[];
  /** Set if `battles` lacks those that cannot have changed. If absent, `battles` has all of them. */
  hasOnlyChangedBattles?: true;
};

/** The circumstances of a comparison. A new revision is at least `clock`, and above the previous revision. */
export interface ComparedMoment {
  clock: bigint;
  /** All published battles of the batch, because one may move from one tournament of the batch to another. */
  before: ReadonlyMap<string, StoredBattle>;
  /**
   * True if rows beside the documents may differ although the documents do not, because another version of
   * the derivations made them.
   */
  isOutdated?: boolean;
}

/**
 * Raise the version of a kind with every change to its documents, so that `wartable publish` derives the
 * older ones again and leaves the other kinds alone. `tournament` covers everything about a tournament except
 * its battles, because standings, participants and the rows for pages are derived together. `battle` also
 * covers casual battles.
 */
export const derivationVersions = { tournament: 1, battle: 1, club: 1 };

/**
 * Adds the differences of one tournament to `changes`. `fresh` is undefined if the tournament must not be
 * shown.
 */
export function compareTournament(
  changes: Changes,
  slug: string,
  stored: StoredTournament | undefined,
  fresh: Fresh | undefined,
  moment: ComparedMoment,
): void {
  const { clock } = moment;
  const standings = compareStandings(changes, slug, stored, fresh);
  const isOutdated =
    stored !== undefined &&
    (moment.isOutdated === true || stored.derivation !== derivationVersions.tournament);
  const participants = compareParticipants(changes, slug, stored, fresh, isOutdated);
  const battles = compareBattles(changes, stored?.battles ?? new Map(), fresh?.battles ?? [], {
    ...moment,
    isOutdated: isOutdated || (stored !== undefined && stored.battleDerivation !== derivationVersions.battle),
  });
  comparePlayers(changes, slug, stored, fresh);
  compareFactions(changes, slug, stored?.factions ?? null, fresh?.factions ?? null);
  if (isOutdated || stored?.name !== fresh?.name) {
    changes.search.rename('tournament', slug, stored?.name, fresh?.name);
  }
  const head = headChanges(stored, fresh);
  const somethingMoved = standings || participants || battles || head.listed || head.own;
  if (head.listed) {
    changes.moved.tournamentList = true;
    for (const club of [stored?.organizer, fresh?.organizer]) if (club) changes.moved.clubs.add(club);
  }
  if (!somethingMoved && !head.stamp) return;

  const revision = somethingMoved ? nextRevision(stored?.revision, clock) : (stored?.revision ?? clock);
  if (somethingMoved) changes.moved.tournaments.set(slug, revision);
  if (stored !== undefined) changes.remove('tournament', { slug });
  if (fresh !== undefined) {
    changes.add('tournament', {
      slug,
      start_date: fresh.startDate ?? '-infinity',
      status: fresh.status,
      organizer: fresh.organizer,
      country: fresh.country,
      leader: fresh.leader,
      last_day: fresh.lastDay ?? '-infinity',
      last_result: fresh.lastResult,
      stages: plainArray(fresh.stages),
      default_stage: fresh.defaultStage,
      derivation: derivationVersions.tournament,
      battle_derivation: battleDerivationOf(stored, fresh),
      revision,
      document: fresh.document,
      view: fresh.view,
    });
  }
}

/** Returns whether any list of battles changed. */
export function compareBattles(
  changes: Changes,
  stored: ReadonlyMap<string, StoredBattle>,
  fresh: BattleDocuments[],
  moment: ComparedMoment,
): boolean {
  let listsChanged = false;
  const seen = new Set<string>();
  for (const battle of fresh) {
    seen.add(battle.id);
    listsChanged = compareBattle(changes, stored.get(battle.id), battle, moment) || listsChanged;
  }
  for (const battle of stored.values()) {
    if (!seen.has(battle.id))
      listsChanged = compareBattle(changes, battle, undefined, moment) || listsChanged;
  }
  return listsChanged;
}

/**
 * Returns whether the tournament's list of battles changed: what it shows of this battle, or the battle's
 * position in it.
 */
function compareBattle(
  changes: Changes,
  stored: StoredBattle | undefined,
  fresh: BattleDocuments | undefined,
  { clock, before: storedAnywhere, isOutdated = false }: ComparedMoment,
): boolean {
  const id = fresh?.id ?? stored?.id ?? '';
  const before = stored && positionOf(stored, stored.date);
  const after = fresh && positionOf(fresh, fresh.date ?? '-infinity');
  const keyMoved = !isSamePosition(before, after);
  const shownDiffers = keyMoved || stored?.listing !== digestOf(fresh?.listing);
  const fullDiffers = stored?.full !== digestOf(fresh?.full);
  const besideDiffers =
    (stored?.table ?? null) !== (fresh?.table ?? null) || String(stored?.entries) !== String(fresh?.entries);
  if (fullDiffers) {
    if (stored) changes.remove('battle_detail', { id });
    if (fresh) changes.add('battle_detail', { id, document: fresh.full });
  }

  const players = ownersOf(stored?.players, fresh?.players, keyMoved, shownDiffers);
  const clubs = ownersOf(stored?.clubs, fresh?.clubs, keyMoved, shownDiffers);
  if (before) {
    for (const player of players.remove) changes.remove('player_battle', { player, ...before, battle: id });
    for (const club of clubs.remove) changes.remove('club_battle', { club, ...before, battle: id });
  }
  if (after) {
    for (const [index, player] of (fresh?.players ?? []).entries()) {
      const side = fresh?.playerSides[index] ?? { faction: null, outcome: null };
      const row = { player, ...after, battle: id, ...side };
      if (players.add.includes(player)) changes.add('player_battle', row);
      else if (shownDiffers || isOutdated) changes.sides.push(row);
    }
    for (const club of clubs.add) changes.add('club_battle', { club, ...after, battle: id });
  }
  for (const player of players.moved) changes.moved.players.add(player);
  for (const player of players.won) changes.named.gained.add(player);
  for (const player of players.lost) changes.named.lost.add(player);
  for (const club of clubs.moved) changes.moved.clubs.add(club);

  if (shownDiffers || fullDiffers || besideDiffers || players.changed || clubs.changed) {
    const previous = storedAnywhere.get(id)?.revision;
    // The page of a battle links to the players whose lists show it, so it changes with them.
    const moves = fullDiffers || besideDiffers || players.changed;
    const revision = moves ? nextRevision(previous, clock) : (previous ?? clock);
    if (moves) changes.moved.battles.set(id, revision);
    if (stored) changes.remove('battle', { id });
    if (fresh && after) {
      changes.add('battle', {
        id,
        tournament: fresh.tournament,
        ...after,
        players: plainArray(fresh.players),
        clubs: plainArray(fresh.clubs),
        table_number: fresh.table,
        first_entry: fresh.entries[0],
        second_entry: fresh.entries[1],
        revision,
        document: fresh.listing,
      });
    }
  }
  return shownDiffers || besideDiffers;
}

/** The position of a battle in every list that shows it. */
type ListPosition = TableRow<'date' | 'stage_order' | 'round'>;

const positionOf = (battle: { stageOrder: number; round: number }, date: string): ListPosition => ({
  date,
  stage_order: battle.stageOrder,
  round: battle.round,
});

const isSamePosition = (a: ListPosition | undefined, b: ListPosition | undefined): boolean =>
  a?.date === b?.date && a?.stage_order === b?.stage_order && a?.round === b?.round;

/**
 * Returns the players or clubs whose lists lose or gain a row, and those whose lists gained, lost or changed
 * this battle.
 */
function ownersOf(
  before: string[] = [],
  after: string[] = [],
  keyMoved: boolean,
  shownDiffers: boolean,
): { remove: string[]; add: string[]; lost: string[]; won: string[]; moved: string[]; changed: boolean } {
  const lost = before.filter((owner) => !after.includes(owner));
  const won = after.filter((owner) => !before.includes(owner));
  return {
    remove: keyMoved ? before : lost,
    add: keyMoved ? after : won,
    lost,
    won,
    moved: shownDiffers ? [...before, ...after] : [...lost, ...won],
    changed: String(before) !== String(after),
  };
}

function compareStandings(
  changes: Changes,
  slug: string,
  stored: StoredTournament | undefined,
  fresh: Fresh | undefined,
): boolean {
  let changed = false;
  const gone = new Set(stored?.standings.keys());
  for (const { stage, ...texts } of fresh?.standings ?? []) {
    gone.delete(stage);
    const before = stored?.standings.get(stage);
    const { document, view, entries, rounds, pairings } = texts;
    const all = [document, view, entries.join(), rounds.join(), pairings ?? ''];
    if (before === digestOf(all.join('\n'))) continue;
    changed = true;
    if (before !== undefined) changes.remove('standings', { tournament: slug, stage });
    changes.add('standings', {
      tournament: slug,
      stage,
      document,
      view,
      // Quoted, because an erased participant is an empty string.
      entries: `{${entries.map((entry) => `"${entry}"`).join()}}`,
      rounds: `{${rounds.join()}}`,
      pairings,
    });
  }
  for (const stage of gone) changes.remove('standings', { tournament: slug, stage });
  return changed || gone.size > 0;
}

function compareParticipants(
  changes: Changes,
  slug: string,
  stored: StoredTournament | undefined,
  fresh: Fresh | undefined,
  isOutdated: boolean,
): boolean {
  if (fresh !== undefined && fresh.participants === undefined) return false;
  let changed = false;
  const gone = new Map(stored?.participants);
  for (const { id, sortKey, document, guest, listOrder, result } of fresh?.participants ?? []) {
    const before = gone.get(id);
    if (isOutdated || (before?.guest ?? null) !== guest)
      changes.search.renameGuest(slug, id, before?.guest, guest);
    gone.delete(id);
    const digest = digestOf(`${document}\n${listOrder}\n${result}`);
    if (before?.digest === digest && before?.sortKey === sortKey) continue;
    changed = true;
    if (before !== undefined)
      changes.remove('participant', { tournament: slug, sort_key: before.sortKey, id });
    const rest = { document, list_order: listOrder, result };
    changes.add('participant', { tournament: slug, sort_key: sortKey, id, ...rest });
  }
  for (const [id, { sortKey, guest }] of gone) {
    changes.remove('participant', { tournament: slug, sort_key: sortKey, id });
    changes.search.renameGuest(slug, id, guest, null);
  }
  return changed || gone.size > 0;
}

/**
 * Compares the tournament's own row. `listed` means that lists of tournaments change. `own` means that its
 * own answers change, such as the standings that it shows by default. `stamp` means that the row needs the
 * new derivation version.
 */
function headChanges(
  stored: StoredTournament | undefined,
  fresh: Fresh | undefined,
): { listed: boolean; own: boolean; stamp: boolean } {
  if (stored === undefined && fresh === undefined) return { listed: false, own: false, stamp: false };
  const listed =
    stored?.digest !== digestOf(fresh?.document) ||
    stored?.startDate !== (fresh?.startDate ?? '-infinity') ||
    // Without an end date, the day of a result decides whether the tournament is being played.
    stored?.lastDay !== (fresh?.lastDay ?? '-infinity') ||
    stored?.status !== fresh?.status ||
    stored?.organizer !== fresh?.organizer;
  const own =
    stored?.defaultStage !== fresh?.defaultStage ||
    String(stored?.stages) !== String(fresh?.stages) ||
    stored?.view !== digestOf(fresh?.view);
  return { listed, own, stamp: isStampOld(stored, fresh) };
}

function isStampOld(stored: StoredTournament | undefined, fresh: Fresh | undefined): boolean {
  return (
    fresh !== undefined &&
    (stored?.derivation !== derivationVersions.tournament ||
      stored.battleDerivation !== battleDerivationOf(stored, fresh))
  );
}

/** Returns the version that derived the battles. Battles that were not derived again keep theirs. */
function battleDerivationOf(stored: StoredTournament | undefined, fresh: Fresh): number {
  return fresh.hasOnlyChangedBattles && stored ? stored.battleDerivation : derivationVersions.battle;
}

/** Returns the same digest as PostgreSQL's md5(document), which stored.ts reads. */
function digestOf(document: string | undefined): string | undefined {
  return document === undefined ? undefined : hash('md5', document);
}
