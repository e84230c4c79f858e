-- A match's battle is of its stage, and stays so. 0002 says that the importer alone checks this: no longer, since a battle
-- could still be moved from under the match that names it. Checked at commit, because the two may move together.
-- The new key stands in the place of the old one, whose only use was the foreign key: no index more on the largest table.
alter table record.match
  drop constraint match_tournament_id_battle_fkey;
alter table record.battle
  drop constraint battle_tournament_id_id_key,
  add constraint battle_of_a_stage unique (tournament_id, stage, id);
alter table record.match
  add constraint match_battle_of_its_stage foreign key (tournament_id, stage, battle)
    references record.battle (tournament_id, stage, id) deferrable initially deferred;

-- The first two places are the knockout's, and a span of places runs downwards.
alter table record.stage
  add constraint stage_of_places check (
    case when id ~ '^placement-[1-9]'
    then split_part(id, '-', 2)::numeric >= 3
      and coalesce(nullif(split_part(id, '-', 3), '')::numeric > split_part(id, '-', 2)::numeric, true)
    end
  );
