import { unmarkedOf } from '../record/backlog/examine.ts';
import type { ClientBase } from 'pg';
import type { Pool } from '../database/pool.ts';
import { Changes } from '../publish/changes.ts';
import { compareBattles, compareTournament } from '../publish/compare.ts';
import { casualBattleDocuments, clubDocument, tournamentDocuments } from '../publish/derive/documents.ts';
import { readStoredBattles, readStoredTournaments } from '../publish/stored.ts';
import { inSnapshot } from '../publish/transactions.ts';
import { readCasualBattles } from '../record/facts/read-battles.ts';
import { readClubs, readTournaments } from '../record/facts/read-facts.ts';

/** A thing whose published rows differ from those that are derived from its facts. */
export interface Drift {
  kind: 'tournament' | 'club' | 'battle';
  key: string;
  /** The reason why its documents cannot be derived. Undefined if they only differ. */
  reason?: string;
}

interface Kind {
  /**
   * Builds the query for the keys of recorded and published things. `of` turns the name of a table into that
   * table or into a sample of it.
   */
  keys: (of: (table: string) => string) => string;
  compare: (pool: Pool, keys: string[]) => Promise<Drift[]>;
}

/**
 * The kinds of things to compare. Each comparison uses one snapshot, writes nothing, and leaves out marked
 * things because those may differ.
 */
export const kinds: Kind[] = [
  {
    keys: (of) =>
      `select slug from ${of('record.tournament')} union select slug from ${of('published.tournament')}`,
    compare: (pool, keys) => compareAll(pool, 'tournament', keys, tournamentComparison),
  },
  {
    keys: (of) => `select slug from ${of('record.club')} union select slug from ${of('published.club')}`,
    compare: (pool, keys) => compareAll(pool, 'club', keys, clubComparison),
  },
  {
    keys: (of) => `select id from ${of('record.battle')} where tournament_id is null
      union select id from ${of('published.battle')} where tournament is null`,
    compare: (pool, keys) => compareAll(pool, 'battle', keys, casualComparison),
  },
];

/** Returns true if a thing differs. Throws if it cannot be derived. */
type Comparison = (key: string) => boolean;

async function compareAll(
  pool: Pool,
  kind: Drift['kind'],
  keys: string[],
  prepare: (reader: ClientBase, keys: string[]) => Promise<Comparison>,
): Promise<Drift[]> {
  return inSnapshot(pool, async (reader) => {
    const unmarked = await unmarkedOf(reader, kind, keys);
    const differs = await prepare(reader, unmarked);
    return unmarked.flatMap((key): Drift[] => {
      try {
        return differs(key) ? [{ kind, key }] : [];
      } catch (error) {
        return [{ kind, key, reason: error instanceof Error ? error.message : String(error) }];
      }
    });
  });
}

async function tournamentComparison(reader: ClientBase, slugs: string[]): Promise<Comparison> {
  const stored = await readStoredTournaments(reader, slugs, { isThorough: true });
  const facts = new Map((await readTournaments(reader, slugs)).map((each) => [each.slug, each]));
  return (slug) => {
    const known = facts.get(slug);
    const changes = new Changes();
    const published = stored.get(slug);
    const fresh = known?.published ? tournamentDocuments(known) : undefined;
    compareTournament(changes, slug, published, fresh, { clock: 0n, before: new Map() });
    return changes.rows > 0;
  };
}

async function clubComparison(reader: ClientBase, slugs: string[]): Promise<Comparison> {
  const facts = new Map((await readClubs(reader, slugs)).map((club) => [club.slug, club]));
  const { rows } = await reader.query<{ slug: string; document: string }>(
    'select slug, document from published.club where slug = any($1::text[])',
    [slugs],
  );
  const stored = new Map(rows.map(({ slug, document }) => [slug, document]));
  return (slug) => {
    const club = facts.get(slug);
    return stored.get(slug) !== (club && clubDocument(club));
  };
}

async function casualComparison(reader: ClientBase, ids: string[]): Promise<Comparison> {
  const facts = new Map((await readCasualBattles(reader, ids)).map((battle) => [battle.id, battle]));
  const battles = await readStoredBattles(reader, 'id', ids, true);
  const stored = new Map(battles.map((battle) => [battle.id, battle]));
  return (id) => {
    const [battle, published] = [facts.get(id), stored.get(id)];
    const changes = new Changes();
    const before = new Map(published ? [[id, published]] : []);
    compareBattles(changes, before, battle ? [casualBattleDocuments(battle)] : [], { clock: 0n, before });
    return changes.rows > 0;
  };
}
