-- The last batch that each import has committed. A batch writes it in its own transaction. An import whose connection was
-- lost in a commit reads it on a new one: a batch that shows one thing in several states must not be applied twice.
-- Imports of older versions do not use it.
create table record.import (
  id uuid primary key,
  batch integer not null,
  at timestamptz not null default now()
);
grant select, insert, update, delete on record.import to wartable_publish;
