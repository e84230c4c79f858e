-- The ids that the feed gives to the two sides of a battle in its tournament, of guests only. Null: no guest, or a version
-- before has published it. Pages tell guests of one name apart by them.
alter table published.battle
  add column first_entry text,
  add column second_entry text;

-- The guests of published tournaments, for the search page of the site only. As published.search: one row per word of a name.
-- A table of its own, because the version before reads every row of that one. By `sort_key` the search finds the participant,
-- and shows the row only while the participant has this very name.
create table published.guest_search (
  folded text collate "C",
  tournament text collate "C",
  entry text collate "C",
  label text not null,
  sort_key text collate "C" not null,
  primary key (folded, tournament, entry) include (label, sort_key)
);
grant select, insert, update, delete on published.guest_search to wartable_publish;
grant select on published.guest_search to wartable_serve;
