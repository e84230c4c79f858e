-- Everything made anew is a backlog of hours in a large database: its marks are told from those of what just changed,
-- which come first. A publisher finds these without reading through the backlog.
alter table record.stale add column rebuild boolean not null default false;
create index stale_fresh on record.stale (kind, key) where not rebuild;
