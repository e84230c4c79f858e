-- What a player won, drew and lost in a tournament: finished battles, archived ones too, byes not. Null: the version before has
-- published it.
alter table published.player_tournament
  add column won integer,
  add column drawn integer,
  add column lost integer;

-- A list of what a player played passes over nothing that the player only helped to run. Publishers wait while PostgreSQL
-- reads the table once, a second or two at the design size. Readers do not wait.
create index player_tournament_played on published.player_tournament (player, start_date, tournament) where plays;
