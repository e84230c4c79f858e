import assert from 'node:assert/strict';
import { onClient } from './proof.ts';

// Faults of other designs: `CHANGES_FAULT=NAME npm run prove changes` must fail.

const tellOnly = `
  create or replace function published.give_places() returns integer language plpgsql as $$
  declare moved bigint;
  begin
    update published.change_list set last = coalesce((select max(place) from published.change), 0),
      revision = published.next_revision(revision) returning revision into moved;
    perform pg_notify('wartable_changes', format('{"moved":{"changes":"%s"}}', moved));
    return 0;
  end $$`;

const placeAtOnce = (place: string) => `
  create function public.place_at_once() returns trigger language plpgsql as $$
  begin
    new.place := ${place};
    return new;
  end $$;
  create trigger at_once before insert or update on published.change
    for each row execute function public.place_at_once()`;

const faults: Record<string, string> = {
  'order-by-revision': `drop index published.change_by_place; ${placeAtOnce('new.revision')}; ${tellOnly}`,
  'places-in-the-transaction': `create sequence public.early;
    ${placeAtOnce("nextval('public.early')")}; ${tellOnly}`,
};

export async function plantFault(url: string, name: string | undefined): Promise<void> {
  if (name === undefined) return;
  const fault = faults[name];
  assert.ok(fault !== undefined, `the faults are ${Object.keys(faults).join(', ')}`);
  await onClient(url, (client) => client.query(fault));
}
