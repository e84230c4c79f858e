-- What the search and the lists of the pages show. `wartable publish` fills it after the upgrade: until then old rows have the
-- defaults, and a publisher of the version before writes them.

-- The club that the player represents there.
alter table published.player_tournament add column club text collate "C";

-- The country is also in the document: lists filter by it. Who won or leads, as JSON: so a list reads no standings.
alter table published.tournament
  add column country text collate "C",
  add column leader text;

-- The folded name: the list of clubs is in this order.
alter table published.club add column sort_key text collate "C" not null default '';
