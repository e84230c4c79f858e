import { Type, type Static } from 'typebox';

import { count, date, id, link, nullable, oneOf, points, slug, strictObject, text } from './scalars.ts';

export const tournamentStatuses = ['planned', 'ongoing', 'finished'] as const;
export const stageTypes = ['board', 'bracket'] as const;

export const Stage = strictObject('One part of a tournament, with its own standings.', {
  id: text(
    'Fixed name of the stage, and the value for the `stage` parameter of the standings. One of `standings` (the ' +
      'merged final table, once the tournament is over), `swiss`, `knockout`, `placement-swiss` (Swiss rounds ' +
      'for players who missed the knockout), or a small bracket for certain placements, such as `placement-3` or ' +
      '`placement-5-8`.',
  ),
  name: text(
    'Label that the organiser gave the stage. Show this to people. It does not depend on the id: the same id may have ' +
      'another label in another tournament.',
  ),
  type: oneOf(stageTypes, 'Whether its standings are a ranked table (`board`) or matches (`bracket`).'),
  rounds: Type.Optional(count('How many rounds the stage has. Absent on the merged final standings.')),
  players: Type.Optional(
    count(
      'How many players entered the stage. Absent unless the stage is a knockout, and until it is known who plays in it.',
    ),
  ),
});
export type Stage = Static<typeof Stage>;

export const TournamentOrganizer = strictObject('A person who runs a tournament.', {
  name: text('Display name.'),
  playerId: id('Public player id of this person.'),
});
export type TournamentOrganizer = Static<typeof TournamentOrganizer>;

export const Tournament = strictObject('A published tournament.', {
  slug: slug('Short name of the tournament, used as `{slug}` in the paths of a tournament.'),
  name: text('Name of the tournament.'),
  status: oneOf(
    tournamentStatuses,
    '`planned` (not begun yet), `ongoing` (being played) or `finished` (over).',
  ),
  startDate: nullable(date('First day, as a local date at the venue. Null when no date is set.')),
  endDate: nullable(date('Last day, as a local date at the venue. Null when no date is set.')),
  description: text("The organiser's description of the tournament, without markup. May be empty."),
  city: nullable(text('Town or city of the venue. Null when it is not known.')),
  country: nullable(text('Name of the country of the venue. Null when it is not known.')),
  players: count('Number of sign-ups, including players who dropped out later.'),
  rounds: count('Total number of rounds in all stages.'),
  battleSize: points('Maximum number of points per army.'),
  battlePack: nullable(text('Battle pack that the battles are played with. Null when it is not known.')),
  organizer: nullable(slug('Slug of the club that runs the tournament. Null when no club runs it.')),
  tournamentOrganizers: Type.Array(TournamentOrganizer, {
    description: 'The people in charge, in alphabetical order. Empty when none are named.',
  }),
  stages: Type.Array(Stage, { description: 'The stages of the tournament, in playing order.' }),
  url: link('Page of the tournament on the website.'),
});
export type Tournament = Static<typeof Tournament>;
