-- What factions won, for the pages. The publisher stores the counts of each tournament. From these, one publisher at a time
-- computes each marked month anew. `wartable publish` fills it after the upgrade. A publisher of the version before writes none
-- of it: `wartable publish` corrects that, too.

-- Of each finished and dated tournament.
create table published.tournament_factions (
  tournament text collate "C" primary key,
  start_date date not null,
  -- Its first day.
  month date not null,
  -- Empty when the tournament has none.
  pack text collate "C" not null,
  -- Five rounds or more.
  is_long boolean not null,
  -- src/publish/derive/faction-sums.ts
  counts json not null,
  -- The factions of the first rows of the final standings, null where a row has none: at most three.
  top json not null
);
create index tournament_factions_by_month on published.tournament_factions (month);

-- The same by faction, newest first. The names are in the standings, at this row, counted from 0.
create table published.faction_place (
  faction text collate "C",
  start_date date,
  tournament text collate "C",
  "row" smallint,
  primary key (faction, start_date, tournament, "row")
);

-- These months are stale. A row is appended by the transaction that changed a tournament of the month.
create table published.faction_mark (month date not null);

-- The sums of a month: of all packs (empty) and of each, of all tournaments and of the long ones alone. So a page reads one row
-- for each month.
create table published.faction_month (
  pack text collate "C",
  is_long boolean,
  month date,
  tournaments integer not null,
  -- All packs of the month.
  packs text[] not null,
  counts json not null,
  computed timestamptz not null default now(),
  primary key (pack, is_long, month)
);

-- One row: the revision of all months. It moves when a month is computed and something in it changed.
create table published.faction_revision (
  "only" boolean primary key default true check ("only"),
  revision bigint not null
);
insert into published.faction_revision (revision) values (published.next_revision(null));

grant select, insert, update, delete on published.tournament_factions, published.faction_place, published.faction_mark,
  published.faction_month, published.faction_revision to wartable_publish;
grant select on published.tournament_factions, published.faction_place, published.faction_mark, published.faction_month,
  published.faction_revision to wartable_serve;

-- Marks the month before and after, and keeps the places. So a change by hand does it, too. Without the settings, a plan may read
-- the whole table of places.
create function published.note_factions() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if tg_op <> 'INSERT' then
    insert into published.faction_mark select distinct month from went;
    delete from published.faction_place p using went cross join json_array_elements_text(top) as gone (faction)
    where p.faction = gone.faction and p.start_date = went.start_date and p.tournament = went.tournament;
  end if;
  if tg_op <> 'DELETE' then
    insert into published.faction_mark select distinct month from come;
    insert into published.faction_place
    select place.faction, start_date, tournament, place.number - 1
    from come cross join json_array_elements_text(top) with ordinality as place (faction, number)
    where place.faction is not null
    on conflict do nothing;
  end if;
  return null;
end
$$;
revoke execute on function published.note_factions() from public;

create trigger factions_come after insert on published.tournament_factions referencing new table as come
  for each statement execute function published.note_factions();
create trigger factions_moved after update on published.tournament_factions referencing old table as went new table as come
  for each statement execute function published.note_factions();
create trigger factions_went after delete on published.tournament_factions referencing old table as went
  for each statement execute function published.note_factions();
