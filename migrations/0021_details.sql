-- What explains the order of a board. Pages of "now" do not read it, so it stands in a column of its own beside `play`.
alter table published.standings add column details text not null default '{}';
