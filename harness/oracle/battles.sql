-- The factions of the two sides: a side's own, or that of its list in this battle, or the participant's, or
-- that of the participant's list. The record stores a list's faction with the side or the participant to
-- which it belongs.
create temp table oracle_battle as
select e.slug, s.battle, jsonb_agg(coalesce(s.faction, p.faction) order by s.place) as factions
from oracle_event e
join oracle_side s on s.tournament_id = e.id
join oracle_person p on p.tournament_id = e.id and p.id = s.participant
group by 1, 2;
