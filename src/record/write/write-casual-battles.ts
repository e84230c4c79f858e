// Writes casual battles: battles outside tournaments, between players or guests.
import { checkCasualListTexts } from './check-texts.ts';
import { checkKnown } from './check-tournament.ts';
import type { CasualBattleRecord } from '../feed/tournament-records.ts';
import type { Problem } from '../feed/problem.ts';
import type { Recording, Referred } from './recording.ts';
import { casualBattleRow } from './battle-rows.ts';
import { casualBattle } from '../tables.ts';
import { dropErasedCasually } from '../people/drop-erased.ts';
import { takeBattles } from './take-battles.ts';
import { upsertRows } from './write-rows.ts';

/** No two records are about the same battle. */
export async function writeCasualBattles(recording: Recording, records: CasualBattleRecord[]): Promise<void> {
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
  const written = await upsertRows(client, casualBattle, rows, ['id']);
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
