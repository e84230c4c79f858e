import { Type, type Static } from 'typebox';

import { count, date, id, link, nullable, oneOf, points, slug, strictObject, text } from './scalars.ts';

export const tournamentStatuses = ['planned', 'ongoing', 'finished'] as const;
export const stageTypes = ['board', 'bracket'] as const;

export const Stage = strictObject('One part of a tournament, with its own standings.', {
  id: text(
    'Fixed name of the stage, and the value for the `stage` parameter of the standings. One of `standings` (the ' +
      'merged final table, once the tournament is over), `swiss`, `knockout`, `placement-swiss` (Swiss rounds ' +
      'of players who missed the knockout), or a small bracket for certain places, such as `placement-3` or ' +
      '`placement-5-8`.',
  ),
  name: text(
    'Label the organiser gave the stage. Show this to people. It does not depend on the id: the same id may have ' +
      'another label in another tournament.',
  ),
  type: oneOf(stageTypes, 'Whether its standings are a ranked table (`board`) or matches (`bracket`).'),
  rounds: Type.Optional(count('How many rounds the stage has. The merged final standings have none.')),
  players: Type.Optional(count('How many players entered the stage. Given for the knockout.')),
});
export type Stage = Static<typeof Stage>;

export const TournamentOrganizer = strictObject('A person who runs a tournament.', {
  name: text('Name as shown to people.'),
  playerId: id('Public player id of this person.'),
});
export type TournamentOrganizer = Static<typeof TournamentOrganizer>;

export const Tournament = strictObject('A published tournament.', {
  slug: slug('Short name of the tournament, as in its address: the `{slug}` in the paths.'),
  name: text('Name of the tournament.'),
  status: oneOf(
    tournamentStatuses,
    '`planned` (not begun yet), `ongoing` (being played) or `finished` (over).',
  ),
  startDate: nullable(date('Day it begins, by the calendar of the venue. Null when no day is fixed.')),
  endDate: nullable(date('Day it ends, by the calendar of the venue. Null when no day is fixed.')),
  description: text('Text of the organiser about the tournament, without markup. May be empty.'),
  city: nullable(text('Town of the venue.')),
  country: nullable(text('Country of the venue, by name.')),
  players: count('Number of sign-ups, including players who dropped later.'),
  rounds: count('Rounds of all stages added together.'),
  battleSize: points('How many points an army may have at most.'),
  battlePack: nullable(text('Battle pack the battles are played with.')),
  organizer: nullable(slug('Club that runs the tournament, by slug. Null when no club runs it.')),
  tournamentOrganizers: Type.Array(TournamentOrganizer, {
    description: 'The persons in charge, by name in alphabetical order. Empty when none are named.',
  }),
  stages: Type.Array(Stage, { description: 'The stages of the tournament, in playing order.' }),
  url: link('Page of the tournament on the website.'),
});
export type Tournament = Static<typeof Tournament>;
