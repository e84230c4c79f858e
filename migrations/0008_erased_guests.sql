-- Erasing a person removes their name, their army lists and the reasons of their adjustments. Of a list its sub-faction
-- stays (its faction is the participant's or the side's), because boards and battles show it. Neither table below holds
-- anything personal: only ids of the feed.

-- By slug, not by number: the erasure outlives a tournament that is removed and told again.
create table record.erased_guest (
  tournament text collate "C",
  participant text collate "C",
  primary key (tournament, participant)
);

-- A guest of a casual battle has no id, and a later feed may tell the two sides in the other order. So the battle alone is
-- remembered: from then on it takes no name of a guest but one that it has.
create table record.erased_casual_guest (
  battle text collate "C" primary key
);
grant select, insert, update, delete on record.erased_guest, record.erased_casual_guest to wartable_publish;

-- Erased by an operator: no feed undoes it. What a feed erased, a feed may undo.
alter table record.player
  add column erased_for_good boolean not null default false,
  add constraint player_erased_for_good check (erased or not erased_for_good);

-- An erased guest has the empty name, which no feed can give. So a participant still is either a player or a guest, and so
-- is a side of a casual battle.

-- What is left of an erased list: its sub-faction alone.
alter table record.participant_list
  alter column points drop not null,
  alter column battle_tactic_cards drop not null,
  alter column text drop not null,
  add constraint participant_list_whole_or_erased check (num_nulls(points, battle_tactic_cards, text) in (0, 3));

-- The same for those who were erased before.
create temporary table erased_entry on commit drop as
  select p.tournament_id, p.id from record.participant p join record.player q on q.id = p.player where q.erased;
update record.participant_list l set points = null, battle_tactic_cards = null, text = null
  from erased_entry e where l.tournament_id = e.tournament_id and l.participant = e.id;
update record.adjustment a set reason = null
  from erased_entry e where a.tournament_id = e.tournament_id and a.participant = e.id and a.reason is not null;
update record.battle b set first_list = jsonb_build_object('subFaction', b.first_list -> 'subFaction')
  from erased_entry e where b.tournament_id = e.tournament_id and b.first_participant = e.id and b.first_list is not null;
update record.battle b set second_list = jsonb_build_object('subFaction', b.second_list -> 'subFaction')
  from erased_entry e where b.tournament_id = e.tournament_id and b.second_participant = e.id and b.second_list is not null;
update record.battle b set first_list = jsonb_build_object('subFaction', b.first_list -> 'subFaction')
  from record.player q where q.id = b.first_player and q.erased and b.first_list is not null;
update record.battle b set second_list = jsonb_build_object('subFaction', b.second_list -> 'subFaction')
  from record.player q where q.id = b.second_player and q.erased and b.second_list is not null;
insert into record.stale (kind, key)
  select 'player', q.id from record.player q where q.erased and (
    exists (select from record.participant p where p.player = q.id)
    or exists (select from record.battle b where b.first_player = q.id)
    or exists (select from record.battle b where b.second_player = q.id));
