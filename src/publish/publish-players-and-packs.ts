import type { PoolClient } from 'pg';
import { inTransaction } from '../database/pool.ts';
import { readPlayers } from '../record/facts/read-facts.ts';
import { spreadBattlePackMarks, spreadPlayerMarks, type MarkedKind } from '../record/backlog/marks.ts';
import { lockKind, readMarks, settleMarks } from '../record/backlog/drain.ts';
import { sendNotices } from './send-notices.ts';
import { type KindPublisher, nothingPublished } from './kind-publisher.ts';
import { forgetNames, lockNames, settleNames } from './site-rows/names.ts';
import { holdOwners, moveSearch } from './revisions.ts';
import { inSnapshot } from './transactions.ts';

// Players and packs have no document of their own. Their marks become marks on every tournament and casual
// battle that shows them. A player only has a row, which says that the player exists. The row is inserted or
// deleted at once, and so is its name.

export const playerPublisher: KindPublisher = spreading('player', async (writer, reader, ids) => {
  const present = (await readPlayers(reader, ids)).filter((player) => !player.erased);
  await spreadPlayerMarks(writer, ids);
  await holdOwners(writer);
  const settled = await settlePlayers(
    writer,
    ids,
    present.map((player) => player.playerId ?? ''),
  );
  const named = await settleNames(writer, await lockNames(writer, ids));
  await sendNotices(writer, {
    player: new Map([...settled.moved, ...named.moved]),
    search: settled.found + named.found > 0 ? await moveSearch(writer) : undefined,
  });
  return settled.moved.size + named.moved.size + named.found;
});

export const battlePackPublisher: KindPublisher = spreading('battlePack', async (writer, _reader, names) => {
  await spreadBattlePackMarks(writer, names);
  return 0;
});

function spreading(
  kind: MarkedKind,
  spread: (writer: PoolClient, reader: PoolClient, keys: string[]) => Promise<number>,
): KindPublisher {
  return {
    kind,
    max: 2_000,
    publish: (pool, keys) =>
      inTransaction(pool, async (writer) => {
        if (!(await lockKind(writer, kind))) return nothingPublished();
        const rows = await inSnapshot(pool, async (reader) => {
          await settleMarks(writer, await readMarks(reader, kind, keys));
          return spread(writer, reader, keys);
        });
        return { ...nothingPublished(), things: keys.length, rows };
      }),
  };
}

/** Inserts and deletes the rows of players before the documents that show them change. */
async function settlePlayers(
  writer: PoolClient,
  ids: string[],
  present: string[],
): Promise<{ moved: Map<string, bigint>; found: number }> {
  const { rows } = await writer.query<{ id: string; revision: string; name: string | null }>({
    text: `with locked as materialized (
        select id from published.player where id = any($1::text[]) and id <> all($2::text[])
        order by id for update),
      gone as (
        delete from published.player p using locked where p.id = locked.id
        returning p.id, published.next_revision(p.revision) as revision, p.name),
      come as (
        insert into published.player (id, revision)
        select id, published.next_revision(null) from unnest($2::text[]) as id order by id collate "C"
        on conflict (id) do nothing returning id, revision, name)
      select * from gone union all select * from come`,
    values: [ids, present],
  });
  return {
    moved: new Map(rows.map(({ id, revision }) => [id, BigInt(revision)])),
    found: await forgetNames(writer, new Map(rows.map(({ id, name }) => [id, name]))),
  };
}
