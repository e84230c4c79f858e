-- Operators ask how late publishing is. The servers have the metrics, and may not read `record`: they get numbers only.
--
-- A mark with a reason belongs to a thing that cannot be published. It would make the lag grow for ever, so such things are
-- counted instead. A rebuild changes no fact: it may take hours and nothing is late.
create function published.backlog(out lag_seconds double precision, out marks bigint, out stuck_things bigint)
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select
      coalesce(greatest(extract(epoch from now() - min(marked_at) filter (where reason is null and not rebuild)), 0), 0),
      count(*),
      count(distinct (kind, key)) filter (where reason is not null)
    from record.stale
  $$;

revoke execute on function published.backlog() from public;
grant execute on function published.backlog() to wartable_serve;
