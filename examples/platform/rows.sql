-- What the page docs/platform.md begins with: two events of the system that goes to Wartable, and one of another.
insert into platform.users (nick) values ('Ana'), ('Bo'), ('Ana Q');
insert into platform.events (slug, title, system_id, state) values
  ('spring-cup', 'Spring Cup', 1, 'running'), ('autumn-cup', 'Autumn Cup', 1, 'open'), ('iron-cup', 'Iron Cup', 2, 'open');
insert into platform.entries (event_id, user_id) values (1, 1), (1, 2);
insert into platform.games (event_id, round, entry1, entry2, points1, points2) values (1, 1, 1, 2, 19, 20);
