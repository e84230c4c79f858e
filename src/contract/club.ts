import type { Static } from 'typebox';

import { count, link, nullable, slug, strictObject, text } from './scalars.ts';

export const Club = strictObject('A club of players that runs tournaments.', {
  slug: slug('Short name of the club, used as `{slug}` in the paths of a club.'),
  name: text('Name of the club.'),
  description: text('What the club says about itself, without markup. May be empty.'),
  city: nullable(text('Town or city of the club. Null when it is not known.')),
  country: nullable(text('Name of the country of the club. Null when it is not known.')),
  members: count('How many members the club has.'),
  website: nullable(link("The club's own website. Null when it has none.")),
  url: link('Page of the club on the website.'),
});
export type Club = Static<typeof Club>;
