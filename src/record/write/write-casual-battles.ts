// Writes casual battles: battles outside tournaments, between players or guests.
import { checkCasualListTexts } from './check-texts.ts';
import { checkKnown } from './check-tournament.ts';
import type { CasualBattleRecord } from '../feed/tournament-records.ts';
import type { Problem } from '../feed/problem.ts';
import { writeForeign } from '../sources/ownership.ts';
import type { Recording, Referred } from '../recording/recording.ts';
import { casualBattleRow } from './battle-rows.ts';
import { casualBattle } from '../tables.ts';
import { dropErasedCasually } from '../people/drop-erased.ts';
import { takeBattles } from './take-battles.ts';
import { upsertRows } from './write-rows.ts';

/** Writes the records. No two of them are about the same battle. */
export async function writeCasualBattles(recording: Recording, records: CasualBattleRecord[]): Promise<void> {
  const foreign = await foreignBattles(recording, records);
  await writeOwned(recording, foreign.size === 0 ? records : records.filter(({ id }) => !foreign.has(id)));
  for (const record of records) {
    const owner = foreign.get(record.id);
    if (owner === undefined) continue;
    const thing = { kind: 'battle', key: record.id, owner } as const;
    await writeForeign(recording, record, thing, (trial) => writeOwned(trial, [record]));
  }
}

/** Locks the battles that belong to another source. Returns the owner of each. */
async function foreignBattles(
  { client, source }: Recording,
  records: CasualBattleRecord[],
): Promise<Map<string, string>> {
  const { rows } = await client.query<{ id: string; source: string }>(
    `select id, source from record.battle where id = any($1::text[]) and source <> $2 order by id for no key update`,
    [records.map(({ id }) => id), source],
  );
  return new Map(rows.map(({ id, source: owner }) => [id, owner]));
}

async function writeOwned(recording: Recording, records: CasualBattleRecord[]): Promise<void> {
  if (records.length === 0) return;
  const { client, known, marks } = recording;
  await known.look(client, referredBy(records));
  const accepted = records.filter((record) => {
    const problems: Problem[] = [];
    checkKnown(known, 'clubs', record.club, 'club', problems);
    checkKnown(known, 'packs', record.battlePack, 'battlePack', problems);
    for (const [index, side] of record.sides.entries()) {
      checkKnown(known, 'players', side.player, `sides[${index}].player`, problems);
      checkKnown(known, 'clubs', side.club, `sides[${index}].club`, problems);
    }
    if (problems.length > 0) recording.refuse(record, problems);
    return problems.length === 0;
  });
  const rows = accepted.map(casualBattleRow);
  await dropErasedCasually(client, rows);
  await checkCasualListTexts(client, rows);
  await takeBattles(recording, rows);
  const written = await upsertRows(client, casualBattle, rows, ['id'], recording);
  for (const { id } of written) marks.add('battle', id);
  recording.noteChanged(
    records,
    ({ id }) => id,
    written.map(({ id }) => id),
  );
}

function referredBy(records: CasualBattleRecord[]): Referred {
  const referred: Referred = { players: new Set(), clubs: new Set(), packs: new Set() };
  for (const { club, battlePack, sides } of records) {
    if (club) referred.clubs.add(club);
    if (battlePack) referred.packs.add(battlePack);
    for (const side of sides) {
      if (side.player) referred.players.add(side.player);
      if (side.club) referred.clubs.add(side.club);
    }
  }
  return referred;
}
