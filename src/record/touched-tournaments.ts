// Keeps track of the tournaments that an import touches. Finished ones are judged once: at the end of the
// input or, during a live input, as soon as a record finishes them.
import type { ClientBase } from 'pg';
import type { Warning } from './feed/warning.ts';
import type { FeedRecord } from './feed/records.ts';
import { nameWarnings, gameWarnings, wholeWarnings } from './feed/tournament-warnings.ts';
import { readGames, type RecordedGames } from './read-games.ts';
import type { Removed } from './recording/recording.ts';

/** Receives what an import reports besides refusals. */
export interface ImportRemarks {
  onWarnings: (file: string, line: number, warnings: Warning[]) => void;
  onTournamentWarnings: (slug: string, warnings: Warning[]) => void;
  onRemoved?: (slug: string, removed: Removed) => void;
  /**
   * Called at the end of the input with the first tournaments that it touched, and with the number of others.
   */
  onTournaments: (summaries: TournamentSummary[], more: number) => void;
}

export interface TournamentSummary {
  slug: string;
  isPublished: boolean;
  participants: number;
  rounds: number;
  plannedRounds: number;
  knockoutRounds: number;
  plannedKnockoutRounds: number | null;
  /** Null while unfinished, and if it is unknown. In that case only the published standings show it. */
  champion: string | null;
}

interface Touched {
  /**
   * The warnings about the one record that contained the tournament. Undefined if only the database knows all
   * of it.
   */
  sent: Warning[] | undefined;
  isJudged: boolean;
}

const maxSummaries = 50;
/** Number of tournaments in one statement. With a hundred participants each, they need about 1 MB. */
const atOnce = 150;

export class TouchedTournaments {
  readonly #touched = new Map<string, Touched>();
  readonly #remarks: ImportRemarks;
  /**
   * Set when a battle is removed. Such a record does not name the tournament, so after it no record is taken
   * to contain all of any tournament.
   */
  #isBattleRemoved = false;

  constructor(remarks: ImportRemarks) {
    this.#remarks = remarks;
  }

  /**
   * Adds a record. Call it for each recorded one, in the order of the feed. `sent` comes from `sentWarnings`.
   */
  add(record: FeedRecord, sent: Warning[] | undefined): void {
    if (record.kind === 'remove' && record.of === 'tournament') this.#touched.delete(record.id);
    if (record.kind === 'remove' && record.of === 'battle') this.#isBattleRemoved = true;
    const slug = slugOf(record);
    if (slug === undefined) return;
    const touched = this.#touched.get(slug);
    if (touched) touched.sent = sent;
    else this.#touched.set(slug, { sent, isJudged: false });
  }

  /** Judges tournaments that are finished now, without waiting for the end of the input. */
  judge(client: ClientBase, slugs: Iterable<string>): Promise<void> {
    return this.#judge(
      client,
      [...slugs].filter((slug) => this.#touched.get(slug)?.isJudged === false),
    );
  }

  /** Judges the remaining tournaments, and reports the summaries. */
  async end(client: ClientBase): Promise<void> {
    const slugs = [...this.#touched.keys()];
    const summaries: TournamentSummary[] = [];
    await this.#judge(client, slugs, summaries);
    if (slugs.length > 0) this.#remarks.onTournaments(summaries, Math.max(0, slugs.length - maxSummaries));
  }

  /** Judges these tournaments. Adds a summary for each of the first slugs, if `summaries` is given. */
  async #judge(client: ClientBase, slugs: string[], summaries?: TournamentSummary[]): Promise<void> {
    const shown = new Set(summaries ? slugs.slice(0, maxSummaries) : []);
    const asked = slugs.filter((slug) => shown.has(slug) || !this.#touched.get(slug)?.isJudged);
    for (let at = 0; at < asked.length; at += atOnce) {
      const all = await readGames(
        client,
        asked.slice(at, at + atOnce).map((slug) => ({
          slug,
          everything: shown.has(slug) || !this.#toldAbout(slug),
        })),
      );
      for (const games of all) {
        this.#judgeOne(games);
        if (shown.has(games.slug)) summaries?.push(summaryOf(games));
      }
    }
  }

  #judgeOne(games: RecordedGames): void {
    const touched = this.#touched.get(games.slug);
    if (!touched || touched.isJudged || !games.isFinished) return;
    touched.isJudged = true;
    const warnings = [...(this.#toldAbout(games.slug) ?? gameWarnings(games)), ...nameWarnings(games)];
    if (warnings.length > 0) this.#remarks.onTournamentWarnings(games.slug, warnings);
  }

  #toldAbout(slug: string): Warning[] | undefined {
    return this.#isBattleRemoved ? undefined : this.#touched.get(slug)?.sent;
  }
}

/** Returns undefined unless the record contains a whole finished tournament. */
export const sentWarnings = (record: FeedRecord): Warning[] | undefined =>
  record.kind === 'tournament' ? wholeWarnings(record, false) : undefined;

/** Returns undefined for a record that names no tournament. */
function slugOf(record: FeedRecord): string | undefined {
  if ('tournament' in record) return record.tournament;
  return record.kind === 'tournament' ? record.slug : undefined;
}

function summaryOf(games: RecordedGames): TournamentSummary {
  const { slug, isPublished, participants, rounds, plannedRounds, finalWinner } = games;
  const { knockoutRounds, plannedKnockoutRounds } = games;
  const first = participants.find(({ finalPlacement }) => finalPlacement === 1);
  const champion = first ?? participants.find(({ id }) => id === finalWinner);
  return {
    slug,
    isPublished,
    participants: participants.length,
    rounds,
    plannedRounds,
    knockoutRounds,
    plannedKnockoutRounds,
    champion: (games.isFinished && champion?.name) || null,
  };
}
