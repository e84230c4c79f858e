import { changes } from '../read/changes.ts';
import { factionMonths } from '../read/faction-months.ts';
import * as items from '../read/items.ts';
import * as lists from '../read/lists.ts';
import { opponentsOfPlayer } from '../read/opponents.ts';
import type { Statement } from '../read/reader.ts';
import { searchWithDetails } from '../read/search-with-details.ts';
import { battleOfPage } from '../site/battle/statements.ts';
import * as calendars from '../site/tournament-list/calendar-statements.ts';
import { clubsOfPage } from '../site/club/list-statements.ts';
import { clubOfPage } from '../site/club/statements.ts';
import * as factions from '../site/faction/statements.ts';
import { homeOfSite } from '../site/home/statements.ts';
import { movedThing } from '../site/moved.ts';
import * as entries from '../site/participant/statements.ts';
import { playerOfPage } from '../site/player/statements.ts';
import { screenOfTournament } from '../site/screen/statement.ts';
import { guestsOfSearch } from '../site/search/guest-statement.ts';
import * as sitemap from '../site/fixed/sitemap-statements.ts';
import * as files from '../site/tournament/file-statements.ts';
import * as tournamentPages from '../site/tournament-parts/statements.ts';
import * as tournamentLists from '../site/tournament-list/statements.ts';
import { entryOfAddress } from '../site/tournament-parts/whose-page.ts';

/** Every statement that reads documents for callers of the API. */
export const apiStatements: Statement[] = [
  ...Object.values(items),
  ...Object.values(lists),
  changes,
  factionMonths,
  opponentsOfPlayer,
  searchWithDetails,
];

/** Every statement that reads documents for the pages of the site. */
export const siteStatements: Statement[] = [
  homeOfSite,
  ...Object.values(tournamentLists),
  ...Object.values(tournamentPages),
  ...Object.values(files),
  battleOfPage,
  clubOfPage,
  clubsOfPage,
  ...Object.values(calendars),
  ...Object.values(factions),
  ...Object.values(entries),
  entryOfAddress,
  guestsOfSearch,
  movedThing,
  playerOfPage,
  screenOfTournament,
  ...Object.values(sitemap),
];
