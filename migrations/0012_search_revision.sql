-- One row: the revision of the search. It moves when a name in the search comes, goes or changes. A publisher of the version
-- before does not move it.
create table published.search_revision (
  "only" boolean primary key default true check ("only"),
  revision bigint not null
);
insert into published.search_revision (revision) values (published.next_revision(null));

grant select, insert, update, delete on published.search_revision to wartable_publish;
grant select on published.search_revision to wartable_serve;
