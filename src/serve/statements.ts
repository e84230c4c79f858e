import { changes } from '../read/changes.ts';
import * as items from '../read/items.ts';
import * as lists from '../read/lists.ts';
import type { Statement } from '../read/reader.ts';
import { searchWithDetails } from '../read/search-with-details.ts';
import { battleOfPage } from '../site/statements/battle.ts';
import * as calendars from '../site/statements/calendar.ts';
import { clubsOfPage } from '../site/statements/clubs.ts';
import { clubOfPage } from '../site/statements/club.ts';
import * as factions from '../site/statements/factions.ts';
import { frontOfSite } from '../site/statements/front.ts';
import { movedThing } from '../site/statements/moved.ts';
import { entriesOfPlayer, playerOfPage } from '../site/statements/player.ts';
import * as sitemap from '../site/statements/sitemap.ts';
import * as files from '../site/statements/tournament-files.ts';
import * as tournamentPages from '../site/statements/tournament.ts';
import * as tournamentLists from '../site/statements/tournaments.ts';

/** Every statement that reads documents for callers. */
export const apiStatements: Statement[] = [
  ...Object.values(items),
  ...Object.values(lists),
  changes,
  searchWithDetails,
];

/** And for the pages of the site. */
export const siteStatements: Statement[] = [
  frontOfSite,
  ...Object.values(tournamentLists),
  ...Object.values(tournamentPages),
  ...Object.values(files),
  battleOfPage,
  clubOfPage,
  clubsOfPage,
  ...Object.values(calendars),
  ...Object.values(factions),
  entriesOfPlayer,
  movedThing,
  playerOfPage,
  ...Object.values(sitemap),
];
