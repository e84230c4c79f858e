import type { Static } from 'typebox';

import { count, link, nullable, slug, strictObject, text } from './scalars.ts';

export const Club = strictObject('A club of players that runs tournaments.', {
  slug: slug('Short name of the club, as in its address: the `{slug}` in the club paths.'),
  name: text('Name of the club.'),
  description: text('What the club says about itself, without markup. May be empty.'),
  city: nullable(text('Home of the club: the town.')),
  country: nullable(text('Home of the club: the country, by name.')),
  members: count('How many members the club has.'),
  website: nullable(link('Own site of the club. Null when it has none.')),
  url: link('Page of the club on the website.'),
});
export type Club = Static<typeof Club>;
