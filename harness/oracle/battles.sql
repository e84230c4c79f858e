-- The factions of the two sides: a side's own, else that of its list in this battle, else the participant's, else that of the
-- participant's list. The record keeps a list's faction with the side or the participant that it belongs to.
create temp table oracle_battle as
select e.slug, s.battle, jsonb_agg(coalesce(s.faction, p.faction) order by s.place) as factions
from oracle_event e
join oracle_side s on s.tournament_id = e.id
join oracle_person p on p.tournament_id = e.id and p.id = s.participant
group by 1, 2;
