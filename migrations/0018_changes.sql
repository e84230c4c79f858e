-- What changed, for callers who keep a copy: each thing once, at the place of its latest change.
--
-- A revision is a clock value taken before the commit. So "revision > n" would skip a commit that comes late. Places are
-- given after the commit, one giver at a time: they become visible in their order.

create table published.change (
  kind text collate "C" not null check (kind in ('tournament', 'club', 'battle')),
  key text collate "C" not null,
  -- The document was removed. Else it came or changed.
  gone boolean not null,
  -- Of the document, or of the one that was removed.
  revision bigint not null,
  -- The tournament of a battle.
  tournament text collate "C",
  -- Null until it gets one.
  place bigint,
  -- When it got its place, or when it began to wait for one.
  since timestamptz not null,
  primary key (kind, key)
);
create unique index change_by_place on published.change (place) where place is not null;
create index change_waiting on published.change (since) where place is null;

-- One row: the revision of this list, the last place that was given, the highest place that was deleted. A restore goes back
-- in time. Then the operator starts a new epoch, and places of the one before mean nothing any more.
create table published.change_list (
  "only" boolean primary key default true check ("only"),
  revision bigint not null,
  epoch text collate "C" not null,
  last bigint not null default 0,
  floor bigint not null default 0
);
insert into published.change_list (revision, epoch)
values (published.next_revision(null), left(replace(gen_random_uuid()::text, '-', ''), 12));

grant select, insert, update, delete on published.change, published.change_list to wartable_publish;
grant select on published.change, published.change_list to wartable_serve;

-- One row per thing, without a place. A publisher deletes and inserts a changed row, so the insert overwrites what the delete
-- wrote. The order of the keys is always the same, so that two transactions do not wait for each other.
create function published.note_changes() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  case tg_table_name || ' ' || tg_op
    when 'tournament INSERT' then
      insert into published.change (kind, key, gone, revision, since)
      select 'tournament', slug, false, revision, clock_timestamp() from come order by slug
      on conflict (kind, key) do update set (gone, revision, place, since) = (false, excluded.revision, null, excluded.since);
    when 'tournament UPDATE' then
      -- It moves with the standings and the participants, too.
      insert into published.change (kind, key, gone, revision, since)
      select 'tournament', slug, false, come.revision, clock_timestamp() from come join went using (slug)
      where come.revision <> went.revision order by slug
      on conflict (kind, key) do update set (gone, revision, place, since) = (false, excluded.revision, null, excluded.since);
    when 'tournament DELETE' then
      insert into published.change (kind, key, gone, revision, since)
      select 'tournament', slug, true, revision, clock_timestamp() from went order by slug
      on conflict (kind, key) do update set (gone, revision, place, since) = (true, excluded.revision, null, excluded.since);
    when 'club INSERT' then
      insert into published.change (kind, key, gone, revision, since)
      select 'club', slug, false, revision, clock_timestamp() from come order by slug
      on conflict (kind, key) do update set (gone, revision, place, since) = (false, excluded.revision, null, excluded.since);
    when 'club UPDATE' then
      -- Its revision also moves with its lists, which are no part of the document.
      insert into published.change (kind, key, gone, revision, since)
      select 'club', slug, false, come.revision, clock_timestamp() from come join went using (slug)
      where come.document <> went.document order by slug
      on conflict (kind, key) do update set (gone, revision, place, since) = (false, excluded.revision, null, excluded.since);
    when 'club DELETE' then
      insert into published.change (kind, key, gone, revision, since)
      select 'club', slug, true, revision, clock_timestamp() from went order by slug
      on conflict (kind, key) do update set (gone, revision, place, since) = (true, excluded.revision, null, excluded.since);
    when 'battle INSERT' then
      insert into published.change (kind, key, gone, revision, tournament, since)
      select 'battle', id, false, revision, tournament, clock_timestamp() from come order by id
      on conflict (kind, key) do update set (gone, revision, tournament, place, since)
        = (false, excluded.revision, excluded.tournament, null, excluded.since);
    when 'battle UPDATE' then
      -- It moves with the detail, too.
      insert into published.change (kind, key, gone, revision, tournament, since)
      select 'battle', id, false, come.revision, come.tournament, clock_timestamp() from come join went using (id)
      where come.revision <> went.revision order by id
      on conflict (kind, key) do update set (gone, revision, tournament, place, since)
        = (false, excluded.revision, excluded.tournament, null, excluded.since);
    when 'battle DELETE' then
      insert into published.change (kind, key, gone, revision, tournament, since)
      select 'battle', id, true, revision, tournament, clock_timestamp() from went order by id
      on conflict (kind, key) do update set (gone, revision, tournament, place, since)
        = (true, excluded.revision, excluded.tournament, null, excluded.since);
  end case;
  return null;
end
$$;
revoke execute on function published.note_changes() from public;

-- PostgreSQL allows transition tables with one event only, and without a list of columns.
create trigger change_come after insert on published.tournament referencing new table as come
  for each statement execute function published.note_changes();
create trigger change_moved after update on published.tournament referencing old table as went new table as come
  for each statement execute function published.note_changes();
create trigger change_went after delete on published.tournament referencing old table as went
  for each statement execute function published.note_changes();
create trigger change_come after insert on published.club referencing new table as come
  for each statement execute function published.note_changes();
create trigger change_moved after update on published.club referencing old table as went new table as come
  for each statement execute function published.note_changes();
create trigger change_went after delete on published.club referencing old table as went
  for each statement execute function published.note_changes();
create trigger change_come after insert on published.battle referencing new table as come
  for each statement execute function published.note_changes();
create trigger change_moved after update on published.battle referencing old table as went new table as come
  for each statement execute function published.note_changes();
create trigger change_went after delete on published.battle referencing old table as went
  for each statement execute function published.note_changes();

-- A publisher calls it after its commit, in a transaction of its own, until it gives fewer than 5,000. It gives places to committed rows,
-- also to those of a publisher that died. The lock on the list is held to the end. It waits for no publisher: a row that is
-- being changed again gets its place later. Without the settings, a plan may read the whole table.
create function published.give_places() returns integer
  language plpgsql set search_path = pg_catalog, pg_temp set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  list published.change_list;
  given integer;
  dropped bigint;
begin
  if not exists (select from published.change where place is null) then
    return 0;
  end if;
  select * into list from published.change_list for update;
  if not found then
    return 0;
  end if;
  with waiting as materialized (
    select kind, key from published.change where place is null order by since limit 5000 for update skip locked
  ), numbered as (
    select kind, key, row_number() over () as number from waiting
  )
  update published.change set place = list.last + number, since = clock_timestamp()
  from numbered where (change.kind, change.key) = (numbered.kind, numbered.key);
  get diagnostics given = row_count;
  if (select since < now() - interval '90 days' from published.change where place is not null order by place limit 1) then
    with oldest as materialized (
      select kind, key, since from published.change where place is not null order by place limit 1000 for update skip locked
    ), gone as (
      delete from published.change using oldest
      where (change.kind, change.key) = (oldest.kind, oldest.key) and oldest.since < now() - interval '90 days'
      returning place
    )
    select max(place) into dropped from gone;
  end if;
  if given > 0 or dropped is not null then
    update published.change_list
    set last = list.last + given, floor = greatest(floor, dropped), revision = published.next_revision(list.revision)
    returning revision into list.revision;
    -- A channel of its own: a server of the version before would take an unknown member as "everything moved".
    perform pg_notify('wartable_changes', format('{"moved":{"changes":"%s"}}', list.revision));
  end if;
  return given;
end
$$;
revoke execute on function published.give_places() from public;
grant execute on function published.give_places() to wartable_publish;
