import { Type, type Static } from 'typebox';

import { count, date, id, link, nullable, oneOf, points, slug, strictObject, text } from './scalars.ts';

export const tournamentStatuses = ['planned', 'ongoing', 'finished'] as const;
export const stageTypes = ['board', 'bracket'] as const;

export const Stage = strictObject('One part of a tournament with standings of its own.', {
  id: text(
    'Fixed name of the stage, and the value for the `stage` parameter of the standings. One of `standings` (the ' +
      'merged final table, there once the tournament is over), `swiss`, `knockout`, `placement-swiss` (Swiss rounds ' +
      'of those who missed the knockout), or a small bracket for the places it settles, such as `placement-3` or ' +
      '`placement-5-8`.',
  ),
  name: text(
    'Label the organiser gave the stage. Show this to people; it says nothing about the id, and the same id may ' +
      'be called differently elsewhere.',
  ),
  type: oneOf(stageTypes, 'Whether its standings are a ranked table (`board`) or matches (`bracket`).'),
  rounds: Type.Optional(count('How many rounds it is played over. The merged final standings have none.')),
  players: Type.Optional(count('How many players entered it. Given for the knockout.')),
});
export type Stage = Static<typeof Stage>;

export const TournamentOrganizer = strictObject('Somebody who runs a tournament.', {
  name: text('Name as shown to people.'),
  playerId: id('Public player id of this person.'),
});
export type TournamentOrganizer = Static<typeof TournamentOrganizer>;

export const Tournament = strictObject('A published tournament.', {
  slug: slug('Short name of the tournament, as in its address; stands for `{slug}` in the paths.'),
  name: text('What the tournament is called.'),
  status: oneOf(tournamentStatuses, 'Not begun yet, being played, or over.'),
  startDate: nullable(date('Day it begins, by the calendar of the venue. Null when no day is fixed.')),
  endDate: nullable(date('Day it ends, by the calendar of the venue. Null when no day is fixed.')),
  description: text('What the organiser writes about it, without markup. May be empty.'),
  city: nullable(text('Where it is played: the town.')),
  country: nullable(text('Where it is played: the country, by name.')),
  players: count('Number of sign-ups, including those who dropped later.'),
  rounds: count('Rounds of all stages added together.'),
  battleSize: points('How many points an army may be worth.'),
  battlePack: nullable(text('Battle pack the games are played by.')),
  organizer: nullable(slug('Club behind the tournament, by its slug. Null when no club runs it.')),
  tournamentOrganizers: Type.Array(TournamentOrganizer, {
    description: 'The persons in charge, by name in alphabetical order. Empty when none are named.',
  }),
  stages: Type.Array(Stage, { description: 'What the tournament consists of, in playing order.' }),
  url: link('Page of the tournament on the website.'),
});
export type Tournament = Static<typeof Tournament>;
