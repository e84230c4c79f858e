/** All six lists, each longer than one default page. */
export const lists = [
  '/tournaments',
  '/tournaments/full-house/participants',
  '/tournaments/full-house/battles',
  '/clubs/lantern-street/tournaments',
  '/clubs/lantern-street/battles',
  '/users/ana/battles',
];

/** The four lists that accept from and to. */
export const datedLists = lists.filter((path) => !path.includes('full-house'));

export const items = ['/tournaments/grand-muster', '/clubs/lantern-street', '/battles/gm-r1-1'];

/** One path for each of the ten endpoints. */
export const everyPath = [...lists, ...items, '/tournaments/grand-muster/standings'];
