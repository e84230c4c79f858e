-- The end of a tournament (else its start) or its newest battle, whichever is later. Infinity: it has no day, or the version
-- before has published it. Pages use it to find events that still "run" although nothing has been heard of them for weeks.
alter table published.tournament add column last_day date not null default 'infinity';
-- Publishers wait while PostgreSQL reads the table once. It holds only those that are being played, so it is small.
create index tournament_running on published.tournament (last_day, start_date, slug, country) where status = 'ongoing';
