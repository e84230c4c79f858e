// Everything belongs to the source that first sent it. A record may refer to anything, but it changes or
// removes only what its own source owns. One rule decides about a record that concerns something of another
// source: it is accepted if it changes nothing, and refused otherwise. So two sources may both name a club or
// a player as long as they agree.
import type { ClientBase } from 'pg';
import type { FeedRecord } from '../feed/records.ts';
import { shellWord } from '../../text/shell.ts';
import { found, type Problem, visible } from '../feed/problem.ts';
import { isRefusal } from '../recording/database-refusal.ts';
import type { Recording } from '../recording/recording.ts';
import { obeyErasures } from './obey-erasures.ts';

/** The source to use if no other one is named. */
export const mainSource = 'main';

/**
 * The things that belong to a source. Participants, byes and the like belong to the owner of their
 * tournament.
 */
export const ownedKinds = {
  club: { table: 'record.club', key: 'slug', noun: 'club', option: '--club' },
  player: { table: 'record.player', key: 'id', noun: 'player', option: '--player' },
  battlePack: { table: 'record.battle_pack', key: 'name', noun: 'battle pack', option: '--battle-pack' },
  tournament: { table: 'record.tournament', key: 'slug', noun: 'tournament', option: '--tournament' },
  battle: { table: 'record.battle', key: 'id', noun: 'casual battle', option: '--battle' },
} as const;
export type OwnedKind = keyof typeof ownedKinds;

export interface OwnedThing {
  kind: OwnedKind;
  key: string;
  /** The source that owns it. */
  owner: string;
}

/**
 * Finds a thing and locks it, so that it cannot change hands before the transaction ends. Returns undefined
 * if it is not recorded.
 */
export async function findOwned(
  client: ClientBase,
  kind: OwnedKind,
  key: string,
): Promise<OwnedThing | undefined> {
  const { table, key: column } = ownedKinds[kind];
  const { rows } = await client.query<{ source: string | null; slug: string | null }>(
    kind === 'battle'
      ? `select b.source, t.slug from record.battle b left join record.tournament t on t.id = b.tournament_id
          where b.id = $1 for no key update of b`
      : `select source, null as slug from ${table} where ${column} = $1 for no key update`,
    [key],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  if (row.source !== null) return { kind, key, owner: row.source };
  // A battle of a tournament belongs to the owner of the tournament.
  return findOwned(client, 'tournament', row.slug ?? '');
}

/**
 * Writes a record about a thing of another source, and undoes it if it changed something. Only an erasure is
 * obeyed whichever source sends it.
 */
export async function writeForeign(
  recording: Recording,
  record: FeedRecord,
  thing: OwnedThing,
  write: (trial: Recording) => Promise<void>,
): Promise<void> {
  const { client } = recording;
  await obeyErasures(recording, record);
  const trial = recording.trial();
  await client.query('savepoint trial');
  let changesNothing = false;
  try {
    await write(trial);
    changesNothing = trial.changed.size === 0 && trial.refusals.size === 0;
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  await client.query(changesNothing ? 'release savepoint trial' : 'rollback to savepoint trial');
  if (changesNothing) recording.takeOver(record, trial);
  else recording.refuse(record, [belongsTo(thing, recording.source)]);
}

/** Returns a problem that names the owner, and the command that hands the thing over. */
export function belongsTo({ kind, key, owner }: OwnedThing, source: string): Problem {
  const { noun, option } = ownedKinds[kind];
  // The name of a battle pack may be anything, and readers paste this command into a shell.
  const command = `wartable sources give ${source} ${option} ${shellWord(visible(key))}`;
  return {
    path: '',
    message: `expected a ${noun} of source ${source}, found ${found(key)} of ${owner}: \`${command}\` hands it over`,
  };
}
