-- The documents, and the narrow index rows that the lists are paged by.
--
-- Lists are keyset ranges over one index each. So index rows hold no nulls (undated is -infinity, a casual battle's
-- stage order and round are 0), all key columns run in the same direction, and text keys are bytewise.
--
-- Revisions: a tournament's, a club's, a player's, a battle's, and that of the list of all tournaments. One moves
-- whenever anything in any answer under it changes, appears, moves or goes.

create table published.tournament (
  slug text collate "C" primary key,
  start_date date not null,
  status text collate "C" not null,
  organizer text collate "C",
  -- The ids of its stages in running order, and the one whose standings are shown when none is asked for.
  stages text[] not null,
  default_stage text,
  -- The version of the derivations that made its documents.
  derivation integer not null,
  revision bigint not null,
  document text not null
);
create index tournament_by_start_date on published.tournament (start_date, slug);
create index tournament_by_status on published.tournament (status, start_date, slug);
create index tournament_by_organizer on published.tournament (organizer, start_date, slug) where organizer is not null;
create index tournament_by_derivation on published.tournament (derivation);

-- One row: the revision of the list of all tournaments.
create table published.tournament_list (
  "only" boolean primary key default true check ("only"),
  revision bigint not null
);
insert into published.tournament_list (revision) values (published.next_revision(null));

-- The whole answer of the standings endpoint for one stage.
create table published.standings (
  tournament text collate "C",
  stage text collate "C",
  document text not null,
  primary key (tournament, stage)
);

create table published.participant (
  tournament text collate "C",
  sort_key text collate "C",
  id text collate "C",
  document text not null,
  primary key (tournament, sort_key, id)
);

-- A battle as the lists show it. `players` and `clubs` say in whose lists it stands.
create table published.battle (
  id text collate "C" primary key,
  tournament text collate "C",
  date date not null,
  stage_order smallint not null,
  round smallint not null,
  players text[] not null,
  clubs text[] not null,
  revision bigint not null,
  document text not null
);
create index battle_of_tournament on published.battle (tournament, date, stage_order, round, id)
  where tournament is not null;

-- The same battle as the answer by id shows it, with lists and rounds: apart, since no list needs it.
create table published.battle_detail (
  id text collate "C" primary key,
  document text not null
);

-- Exists while the player does: neither unknown nor erased.
create table published.player (
  id text collate "C" primary key,
  revision bigint not null
) with (fillfactor = 80);

create table published.player_battle (
  player text collate "C",
  date date,
  stage_order smallint,
  round smallint,
  battle text collate "C",
  primary key (player, date, stage_order, round, battle)
);

create table published.club_battle (
  club text collate "C",
  date date,
  stage_order smallint,
  round smallint,
  battle text collate "C",
  primary key (club, date, stage_order, round, battle)
);

-- One row: the version of the derivations that made the documents of clubs and casual battles.
create table published.derivation (
  "only" boolean primary key default true check ("only"),
  version integer not null
);
insert into published.derivation (version) values (0);

grant select, insert, update, delete on
  published.tournament, published.tournament_list, published.standings, published.participant, published.battle,
  published.battle_detail, published.player, published.player_battle, published.club_battle, published.derivation
  to wartable_publish;
grant select on
  published.tournament, published.tournament_list, published.standings, published.participant, published.battle,
  published.battle_detail, published.player, published.player_battle, published.club_battle, published.derivation
  to wartable_serve;

-- A battle's mark says which one, so that a result of a large event need not derive the whole event again; without it
-- the whole tournament is stale. The reason is why the publisher could not publish it.
alter table record.stale
  add column part text collate "C",
  add column reason text;
