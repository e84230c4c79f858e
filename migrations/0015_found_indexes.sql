-- Publishers wait while PostgreSQL reads each table once, about a second at the design size. Readers do not wait. The indexes
-- by country are empty at first, so `concurrently` would gain nothing.
create index tournament_by_country on published.tournament (country, start_date, slug) where country is not null;
create index tournament_by_country_and_status on published.tournament (country, status, start_date, slug)
  where country is not null;
create index club_by_name on published.club (sort_key, slug);
