import { type ApiError, errors } from '../contract/errors.ts';
import { idPattern, slugPattern } from '../contract/patterns.ts';
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
import type { PageFolder } from '../read/page-address.ts';
import type { Statement } from '../read/reader.ts';
import { RefusedRequest } from '../http/refused.ts';
import { byDatePlayed, byName, byStartDate } from './order.ts';
import { itemPlan, type List, listPlan, type Route, standingsPlan } from './plan.ts';
import { type ParameterName, readQuery } from './query.ts';

// The ten endpoints of the specification; ours are in extra-routes.ts. A route is a pure function from a target to a plan, or it throws the refusal.

/** What a path names. */
interface Noun {
  kind: 'tournament' | 'club' | 'player' | 'battle';
  /** Other text is answered with 404, without a query. So PostgreSQL never gets text that it refuses. */
  name: RegExp;
  notFound: ApiError;
}

const slug = new RegExp(slugPattern);
const id = new RegExp(idPattern);
const tournament: Noun = { kind: 'tournament', name: slug, notFound: errors.tournamentNotFound };
const club: Noun = { kind: 'club', name: slug, notFound: errors.clubNotFound };
const player: Noun = { kind: 'player', name: id, notFound: errors.playerNotFound };
const battle: Noun = { kind: 'battle', name: id, notFound: errors.battleNotFound };

const page = ['cursor', 'limit'] as const;
const dated = ['from', 'to', ...page] as const;

export const routes: readonly Route[] = [
  {
    pattern: '/api/v1/tournaments',
    plan: (parts, _, target) =>
      listPlan(parts, {
        path: '/api/v1/tournaments',
        query: readQuery(target, ['status', ...dated]),
        scope: 'tournaments',
        // The list itself always exists.
        notFound: errors.internalError,
        order: byStartDate,
        statement: tournaments,
        byStatus: tournamentsByStatus,
        pageFolder: 'tournaments',
      }),
  },
  item('/api/v1/tournaments/:slug', tournament, tournamentBySlug, 'tournaments'),
  {
    pattern: '/api/v1/tournaments/:slug/standings',
    plan: (_, part, target) =>
      standingsPlan(nameIn(part, tournament), readQuery(target, ['stage']).get('stage')),
  },
  list('/api/v1/tournaments/:slug/participants', tournament, page, {
    order: byName,
    statement: participantsOfTournament,
  }),
  list('/api/v1/tournaments/:slug/battles', tournament, page, {
    order: byDatePlayed,
    statement: battlesOfTournament,
    pageFolder: 'battles',
  }),
  item('/api/v1/clubs/:slug', club, clubBySlug, 'clubs'),
  list('/api/v1/clubs/:slug/tournaments', club, dated, {
    order: byStartDate,
    statement: tournamentsOfClub,
    pageFolder: 'tournaments',
  }),
  list('/api/v1/clubs/:slug/battles', club, dated, {
    order: byDatePlayed,
    statement: battlesOfClub,
    pageFolder: 'battles',
  }),
  list('/api/v1/users/:publicId/battles', player, dated, {
    order: byDatePlayed,
    statement: battlesOfPlayer,
    pageFolder: 'battles',
  }),
  item('/api/v1/battles/:id', battle, battleById, 'battles'),
];

/** One document. */
function item(pattern: string, noun: Noun, statement: Statement, pageFolder: PageFolder): Route {
  return {
    pattern,
    plan: (parts, part) => {
      const name = nameIn(part, noun);
      return itemPlan(parts, { ...owned(pattern, noun, name), statement, id: name, pageFolder });
    },
  };
}

/** A list that belongs to one thing. */
function list<Key extends { id: string }>(
  pattern: string,
  owner: Noun,
  parameters: readonly ParameterName[],
  rest: Pick<List<Key>, 'order' | 'statement' | 'pageFolder'>,
): Route {
  return {
    pattern,
    plan: (parts, part, target) => {
      const name = nameIn(part, owner);
      const query = readQuery(target, parameters);
      return listPlan(parts, { ...owned(pattern, owner, name), ...rest, query, of: name });
    },
  };
}

function owned(pattern: string, { kind, notFound }: Noun, name: string) {
  return { path: pattern.replace(/:\w+/, name), scope: `${kind}:${name}` as const, notFound };
}

function nameIn(part: string, { name, notFound }: Noun): string {
  if (!name.test(part)) throw new RefusedRequest(notFound);
  return part;
}
