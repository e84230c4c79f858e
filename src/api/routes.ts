import { endpoints, type OperationId } from '../contract/endpoints.ts';
import { type ApiError, errors } from '../contract/errors.ts';
import { type PathParameterName, queryParameters } from '../contract/parameters.ts';
import { idPattern, slugPattern } from '../contract/patterns.ts';
import { RefusedRequest } from '../http/refused.ts';
import { battleById, clubBySlug, tournamentBySlug } from '../read/items.ts';
import {
  battlesOfClub,
  battlesOfPlayer,
  battlesOfTournament,
  participantsOfTournament,
  tournaments,
  tournamentsByStatus,
  tournamentsOfClub,
} from '../read/lists.ts';
import type { RevisionScope } from '../read/newest-revisions.ts';
import type { PageFolder } from '../read/page-address.ts';
import type { Statement } from '../read/reader.ts';
import { byDatePlayed, byName, byStartDate } from './order.ts';
import {
  itemPlan,
  type List,
  listPlan,
  type Plan,
  type PlanParts,
  type ApiRoute,
  standingsPlan,
} from './plan.ts';
import { type Query, readQuery } from './query.ts';

// The ten endpoints of the specification; our own are in extra-routes.ts. Their paths, parameters and errors
// come from the contract.

/** A request after its path and query were read as the contract describes them. */
export interface OperationRequest {
  parts: PlanParts;
  /** The path in our own spelling. */
  path: string;
  scope: RevisionScope;
  /** The part of the path that varies. */
  name: string;
  notFound: ApiError;
  query: Query;
}

/** The statement of each endpoint, and the order of each list. */
const plans: Record<OperationId, (asked: OperationRequest) => Plan> = {
  listTournaments: list({
    order: byStartDate,
    statement: tournaments,
    byStatus: tournamentsByStatus,
    pageFolder: 'tournaments',
  }),
  getTournament: item(tournamentBySlug, 'tournaments'),
  getTournamentStandings: ({ name, query }) => standingsPlan(name, query.get('stage')),
  listTournamentParticipants: list({ order: byName, statement: participantsOfTournament }),
  listTournamentBattles: list({
    order: byDatePlayed,
    statement: battlesOfTournament,
    pageFolder: 'battles',
  }),
  getClub: item(clubBySlug, 'clubs'),
  listClubTournaments: list({
    order: byStartDate,
    statement: tournamentsOfClub,
    pageFolder: 'tournaments',
  }),
  listClubBattles: list({ order: byDatePlayed, statement: battlesOfClub, pageFolder: 'battles' }),
  listPlayerBattles: list({ order: byDatePlayed, statement: battlesOfPlayer, pageFolder: 'battles' }),
  getBattle: item(battleById, 'battles'),
};

/**
 * The kinds of things that a path can name. Any other text gets a 404 without a query, so PostgreSQL never
 * receives text that it would refuse.
 */
const things = {
  TournamentSlug: { kind: 'tournament', name: new RegExp(slugPattern), notFound: errors.tournamentNotFound },
  ClubSlug: { kind: 'club', name: new RegExp(slugPattern), notFound: errors.clubNotFound },
  PublicId: { kind: 'player', name: new RegExp(idPattern), notFound: errors.playerNotFound },
  BattleId: { kind: 'battle', name: new RegExp(idPattern), notFound: errors.battleNotFound },
} as const satisfies Record<PathParameterName, object>;

export const routes = endpoints.map((endpoint) =>
  routeOf(
    endpoint,
    endpoint.queryParameters.map((each) => queryParameters[each].name),
    plans[endpoint.operationId],
  ),
);

/** Plans an answer with one document. */
function item(statement: Statement, pageFolder: PageFolder) {
  return ({ parts, name, ...asked }: OperationRequest) =>
    itemPlan(parts, { ...asked, statement, id: name, pageFolder });
}

/** Plans a list, either of everything or of what belongs to one thing. */
export function list<Key extends { id: string }>(
  rest: Pick<List<Key>, 'order' | 'statement' | 'byStatus' | 'pageFolder' | 'alsoShown'>,
) {
  return ({ parts, name, ...asked }: OperationRequest) =>
    listPlan(parts, { ...asked, ...rest, of: name || undefined });
}

/** Turns an endpoint of the contract into a route. `known` lists the names of its query parameters. */
export function routeOf(
  { path, pathParameters }: { path: string; pathParameters: readonly PathParameterName[] },
  known: Parameters<typeof readQuery>[1],
  plan: (asked: OperationRequest) => Plan,
): ApiRoute {
  const pattern = path.replace(/\{(\w+)\}/, ':$1');
  const [parameter] = pathParameters;
  const thing = parameter && things[parameter];
  // A list of everything always exists.
  const notFound = thing?.notFound ?? errors.internalError;
  return {
    pattern,
    plan: (parts, name, target) => {
      if (thing?.name.test(name) === false) throw new RefusedRequest(notFound);
      return plan({
        parts,
        path: pattern.replace(/:\w+/, name),
        scope: thing === undefined ? 'tournaments' : `${thing.kind}:${name}`,
        name,
        notFound,
        query: readQuery(target, known),
      });
    },
  };
}
