import { errors } from '../contract/errors.ts';
import { extraErrors, searchKinds } from '../contract/extra/errors.ts';
import type { Club } from '../contract/club.ts';
import { extraEndpoints, type ExtraOperationId, extraParameters } from '../contract/extra/endpoints.ts';
import type { FoundThing } from '../contract/extra/shapes.ts';
import type { Tournament } from '../contract/tournament.ts';
import { linesToList, ownBytes } from '../http/bytes.ts';
import { changes, type ChangesRow } from '../read/changes.ts';
import { type PlayerTournamentsRow, tournamentsOfPlayer } from '../read/lists.ts';
import { opponentsOfPlayer, type OpponentsRow } from '../read/opponents.ts';
import type { ShownScope } from '../read/newest-revisions.ts';
import { parseStored } from '../read/page-address.ts';
import type { Row } from '../read/reader.ts';
import { searchValues } from '../read/search.ts';
import {
  type Detail,
  hitsOf,
  longestQuery,
  type SearchRow,
  searchWithDetails,
  shownBy,
} from '../read/search-with-details.ts';
import { RefusedRequest } from '../http/refused.ts';
import { factionsPlan } from './factions-plan.ts';
import { nowPlan } from './now-plan.ts';
import { byStartDate } from './order.ts';
import type { Plan } from './plan.ts';
import { readLimit } from './query.ts';
import { type OperationRequest, list, routeOf } from './routes.ts';

// Our own endpoints, which are not part of the specification.

/** The plan of each endpoint. */
const plans: Record<ExtraOperationId, (asked: OperationRequest) => Plan> = {
  search: searchPlan,
  listChanges: changesPlan,
  listPlayerTournaments: list({
    order: byStartDate,
    statement: tournamentsOfPlayer,
    alsoShown: ([row]) => (row ? tournamentsShown(row as PlayerTournamentsRow) : []),
  }),
  listPlayerOpponents: opponentsPlan,
  listFactions: factionsPlan,
  getTournamentNow: nowPlan,
};

export const extraRoutes = extraEndpoints.map((endpoint) =>
  routeOf(
    endpoint,
    endpoint.queryParameters.map((each) => extraParameters[each].name),
    plans[endpoint.operationId],
  ),
);

/**
 * Returns the scopes of the tournaments in the answer, whose names, days, states and numbers of players come
 * from their own documents.
 */
function tournamentsShown({ shown }: PlayerTournamentsRow): ShownScope[] {
  return (shown ?? []).map((each): ShownScope => {
    const [slug = '', revision = '0'] = each.split(' ');
    return { scope: `tournament:${slug}`, revision: BigInt(revision) };
  });
}

function searchPlan({ parts, query, path }: OperationRequest): Plan {
  // PostgreSQL refuses text that contains a NUL, and no name contains one.
  const asked = (query.get('q') ?? '').replaceAll('\0', ' ').trim();
  if (asked.length > longestQuery) throw new RefusedRequest(extraErrors.queryTooLong);
  const values = searchValues(asked);
  if (values === null) throw new RefusedRequest(extraErrors.queryTooShort);
  const wanted = query.get('kind');
  const kinds: readonly string[] =
    wanted === undefined ? searchKinds : searchKinds.filter((each) => each === wanted);
  if (kinds.length === 0) throw new RefusedRequest(extraErrors.unknownKind);
  const { pageBases, playerPages } = parts;
  const bases = { tournament: pageBases.tournaments, club: pageBases.clubs, player: playerPages };
  return {
    identity: [path, asked, wanted ?? null, bases.tournament, bases.club, bases.player ?? null],
    scope: 'search',
    until: Infinity,
    statement: searchWithDetails,
    values: () => values,
    notFound: errors.internalError,
    alsoShown: (rows) => (rows as SearchRow[]).flatMap(shownBy),
    content: (_, rows) => {
      const data = hitsOf(rows as SearchRow[]).flatMap(({ kind, key, name, detail }): FoundThing[] => {
        if (!kinds.includes(kind)) return [];
        const base = bases[kind];
        const url = base === undefined ? null : `${base}${key}`;
        return [{ kind, key, name, detail: detailOf(detail), url }];
      });
      return JSON.stringify({ data, next: null });
    },
  };
}

/**
 * Returns a detail that tells things with the same name apart: start date and location, or a player's club
 * and newest event.
 */
function detailOf({ document, event, club }: Detail): string | null {
  const facts: (string | null)[] = [];
  if (document === undefined) {
    for (const thing of [club, event]) if (thing) facts.push(parseStored<Club>(thing.document).name);
  } else {
    const thing = parseStored<Club | Tournament>(document);
    const location = [thing.city, thing.country].filter((part) => part !== null && part !== '').join(', ');
    facts.push((thing as Partial<Tournament>).startDate ?? null, location);
  }
  return facts.filter((fact) => fact !== null && fact !== '').join(' · ') || null;
}

function changesPlan({ parts, query, path }: OperationRequest): Plan {
  const apiUrl = parts.apiUrl();
  const limit = readLimit(query);
  const given = query.get('after');
  const after = given === undefined ? undefined : readSequenceNumber(given);
  return {
    identity: [path, given ?? null, String(limit), apiUrl],
    scope: 'changes',
    until: Infinity,
    statement: changes,
    // The extra row tells us whether there is a next page.
    values: (held) => [limit + 1, held, after?.sequenceNumber ?? null],
    // The list itself always exists.
    notFound: errors.internalError,
    check: (row) => {
      const { epoch, floor } = row as ChangesRow;
      if (after !== undefined && (after.epoch !== epoch || BigInt(after.sequenceNumber) < BigInt(floor)))
        throw new RefusedRequest(extraErrors.sequenceNumberGone);
    },
    content: (row: Row) => {
      const { epoch, last, documents, isFull, sequenceNumber } = row as ChangesRow;
      // A replica may be behind what the caller has seen. Never answer with a lower sequence number.
      const reached = `${epoch}.${sequenceNumber ?? after?.sequenceNumber ?? last}`;
      let lines = documents ?? '';
      if (isFull) lines = lines.slice(0, lines.lastIndexOf('\n'));
      const next = isFull ? `"${apiUrl}${path}?limit=${limit}&after=${reached}"` : 'null';
      return linesToList(ownBytes('{"data":[', lines, `],"next":${next},"after":"${reached}"}`));
    },
  };
}

/** More would take too long, because the opponents are in the documents of the battles. */
const countedBattles = 1_000;

function opponentsPlan({ path, scope, name, notFound }: OperationRequest): Plan {
  return {
    identity: [path],
    scope,
    until: Infinity,
    statement: opponentsOfPlayer,
    values: (held) => [name, held, countedBattles],
    notFound,
    content: (row) => {
      const { documents, isComplete } = row as OpponentsRow;
      return `{"data":[${documents ?? ''}],"next":null,"isComplete":${isComplete}}`;
    },
  };
}

/** Parses `after`, which we write as the epoch, a dot and the sequence number. */
function readSequenceNumber(given: string): { epoch: string; sequenceNumber: string } {
  const [, epoch, sequenceNumber] = /^([0-9a-f]{12})\.(0|[1-9][0-9]{0,17})$/.exec(given) ?? [];
  if (epoch === undefined || sequenceNumber === undefined) throw new RefusedRequest(extraErrors.invalidAfter);
  return { epoch, sequenceNumber };
}
