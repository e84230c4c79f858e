-- What the public pages show and no answer of /api/v1 does. The publisher writes it with the documents, `wartable publish`
-- fills it after the upgrade. Old rows have the defaults until then.

-- The current name, while a published tournament or battle names the player; otherwise null. The player has a page and
-- search rows exactly while it is set.
alter table published.player add column name text;

-- Where a registered player takes part (`plays`) or helps to run it (`organizes`).
create table published.player_tournament (
  player text collate "C",
  start_date date,
  tournament text collate "C",
  plays boolean not null,
  organizes boolean not null,
  place integer,
  faction text,
  primary key (player, start_date, tournament)
);

-- Of the player's own side, so that one range of this table gives the record by faction and by year. The outcome is
-- 'win', 'draw' or 'loss', and null while the battle is not finished.
alter table published.player_battle
  add column faction text,
  add column outcome text;

alter table published.battle add column table_number integer;

-- JSON beside the standings answer: how far the play is, byes, and how the matches of a bracket are connected.
alter table published.standings add column play text not null default '{}';

-- One row per word of a name: the folded name, rotated to begin at that word. A search is one range of the index.
-- No second index: a name's rows are computed from the name, also to remove them.
create table published.search (
  folded text collate "C",
  kind text collate "C",
  key text collate "C",
  label text not null,
  primary key (folded, kind, key) include (label)
);

grant select, insert, update, delete on published.player_tournament, published.search to wartable_publish;
grant select on published.player_tournament, published.search to wartable_serve;
