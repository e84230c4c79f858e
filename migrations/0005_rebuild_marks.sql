-- Everything made anew is a backlog of hours in a large database: its marks are told from those of what just changed,
-- which come first; and first of all the results of running events, whose marks name a battle. A publisher finds each
-- without reading through the others.
alter table record.stale add column rebuild boolean not null default false;
create index stale_result on record.stale (kind, key) where part is not null;
create index stale_change on record.stale (kind, key) where part is null and not rebuild;
