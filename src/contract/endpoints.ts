import type { TSchema } from 'typebox';

import {
  BattleList,
  ParticipantList,
  SingleBattle,
  SingleClub,
  SingleTournament,
  TournamentList,
} from './list.ts';
import type { PathParameterName, QueryParameterName } from './parameters.ts';
import { refusals, refusalsEverywhere, type RefusalName } from './refusals.ts';
import { Standings } from './standings.ts';

export interface Endpoint {
  readonly operationId: string;
  readonly path: string;
  readonly tag: 'Tournaments' | 'Clubs' | 'Players' | 'Battles';
  readonly summary: string;
  readonly description: string;
  readonly pathParameters: readonly PathParameterName[];
  readonly queryParameters: readonly QueryParameterName[];
  readonly answer: TSchema;
  /**
   * The refusals that are particular to this endpoint. `refusalsOf` adds those that every endpoint can give.
   */
  readonly refusals: readonly RefusalName[];
}

export const endpoints = [
  {
    operationId: 'listTournaments',
    path: '/api/v1/tournaments',
    tag: 'Tournaments',
    summary: 'List tournaments',
    description: 'Published tournaments, latest start date first. Tournaments without a date come last.',
    pathParameters: [],
    queryParameters: ['StartsFrom', 'StartsTo', 'Status', 'Cursor', 'Limit'],
    answer: TournamentList,
    refusals: ['BadTournamentFilter'],
  },
  {
    operationId: 'getTournament',
    path: '/api/v1/tournaments/{slug}',
    tag: 'Tournaments',
    summary: 'Get one tournament',
    description: 'A single tournament, in the same shape as in the list.',
    pathParameters: ['TournamentSlug'],
    queryParameters: [],
    answer: SingleTournament,
    refusals: ['BadRequest', 'TournamentNotFound'],
  },
  {
    operationId: 'getTournamentStandings',
    path: '/api/v1/tournaments/{slug}/standings',
    tag: 'Tournaments',
    summary: 'Get the standings of a tournament',
    description:
      'All rows of one stage at once, without pages. A board with groups lists one group after another, and the ranks ' +
      'begin at 1 in each group.',
    pathParameters: ['TournamentSlug'],
    queryParameters: ['Stage'],
    answer: Standings,
    refusals: ['BadStage', 'StageNotFound'],
  },
  {
    operationId: 'listTournamentParticipants',
    path: '/api/v1/tournaments/{slug}/participants',
    tag: 'Tournaments',
    summary: 'List the participants of a tournament',
    description: 'All players who signed up, in alphabetical order, with the army lists that they submitted.',
    pathParameters: ['TournamentSlug'],
    queryParameters: ['Cursor', 'Limit'],
    answer: ParticipantList,
    refusals: ['BadPage', 'TournamentNotFound'],
  },
  {
    operationId: 'listTournamentBattles',
    path: '/api/v1/tournaments/{slug}/battles',
    tag: 'Tournaments',
    summary: 'List the battles of a tournament',
    description: 'All battles of the tournament, newest first, without army lists and rounds.',
    pathParameters: ['TournamentSlug'],
    queryParameters: ['Cursor', 'Limit'],
    answer: BattleList,
    refusals: ['BadPage', 'TournamentNotFound'],
  },
  {
    operationId: 'getClub',
    path: '/api/v1/clubs/{slug}',
    tag: 'Clubs',
    summary: 'Get one club',
    description: 'A single club.',
    pathParameters: ['ClubSlug'],
    queryParameters: [],
    answer: SingleClub,
    refusals: ['BadRequest', 'ClubNotFound'],
  },
  {
    operationId: 'listClubTournaments',
    path: '/api/v1/clubs/{slug}/tournaments',
    tag: 'Clubs',
    summary: 'List the tournaments of a club',
    description: 'Published tournaments that the club runs, latest start date first.',
    pathParameters: ['ClubSlug'],
    queryParameters: ['StartsFrom', 'StartsTo', 'Cursor', 'Limit'],
    answer: TournamentList,
    refusals: ['BadWindow', 'ClubNotFound'],
  },
  {
    operationId: 'listClubBattles',
    path: '/api/v1/clubs/{slug}/battles',
    tag: 'Clubs',
    summary: 'List the battles of a club',
    description:
      'Battles of the tournaments the club runs, battles of players who played for the club, and casual battles ' +
      'logged under the club. The newest come first, and each battle is listed once.',
    pathParameters: ['ClubSlug'],
    queryParameters: ['PlayedFrom', 'PlayedTo', 'Cursor', 'Limit'],
    answer: BattleList,
    refusals: ['BadWindow', 'ClubNotFound'],
  },
  {
    operationId: 'listPlayerBattles',
    path: '/api/v1/users/{publicId}/battles',
    tag: 'Players',
    summary: 'List the battles of a player',
    description:
      'All battles of the player, including casual ones, newest first. Archived battles are left out.',
    pathParameters: ['PublicId'],
    queryParameters: ['PlayedFrom', 'PlayedTo', 'Cursor', 'Limit'],
    answer: BattleList,
    refusals: ['BadWindow', 'PlayerNotFound'],
  },
  {
    operationId: 'getBattle',
    path: '/api/v1/battles/{id}',
    tag: 'Battles',
    summary: 'Get one battle',
    description:
      'A single battle in full: the members that lists show, plus the army list and every round of both sides.',
    pathParameters: ['BattleId'],
    queryParameters: [],
    answer: SingleBattle,
    refusals: ['BadRequest', 'BattleNotFound'],
  },
] as const satisfies readonly Endpoint[];

export type OperationId = (typeof endpoints)[number]['operationId'];

/** Returns every refusal that an endpoint can give, by ascending status: its own and the common ones. */
export function refusalsOf(endpoint: Endpoint): RefusalName[] {
  const names: RefusalName[] = [...endpoint.refusals, ...refusalsEverywhere];
  return names.toSorted((a, b) => refusals[a].status - refusals[b].status);
}
