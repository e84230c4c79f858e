import { onClient } from './on-client.ts';

/**
 * Lets this database compress large values with lz4, if the server was built with it and its operator has not
 * chosen something else. The standings of 1,000 players have 200 kB, every result writes them anew, and
 * PostgreSQL's default needs several times as much processor time for that. This happens in every run instead
 * of in a migration, because a dump, restore or clone does not carry the settings of a database.
 */
export async function settleCompression(databaseUrl: string): Promise<void> {
  await onClient(databaseUrl, (client) =>
    client.query(`
      do $$
      begin
        if exists (
          select from pg_settings
          where name = 'default_toast_compression' and 'lz4' = any (enumvals) and source = 'default'
        ) then
          execute format('alter database %I set default_toast_compression = lz4', current_database());
        end if;
      exception
        -- Only the owner of a database can change its settings. Without this one, everything works as well.
        when insufficient_privilege then null;
      end
      $$`),
  );
}
