-- Players of a finished tournament are listed by place. 0 and '{}': it is not finished, or a version before has published it.
alter table published.participant
  add column list_order integer not null default 0,
  add column result text not null default '{}';
