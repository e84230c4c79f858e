import { Type, type Static } from 'typebox';

import { BattlePlayer, outcomes } from '../battle.ts';
import {
  count,
  date,
  id,
  link,
  nullable,
  oneOf,
  ordinal,
  slug,
  strictObject,
  text,
  timestamp,
} from '../scalars.ts';
import { Participant } from '../participant.ts';
import { BoardRow } from '../standings.ts';
import { Tournament } from '../tournament.ts';
import { searchKinds } from './errors.ts';

// The shapes of the answers under `/api/extra/v1`.

const next = nullable(
  link('Full address of the next page. Fetch it unchanged. Null when this is the last page.'),
);

export const FoundThing = strictObject('A thing whose name was found.', {
  kind: oneOf(searchKinds, 'The kind of thing.'),
  key: text('Its slug, or the public id of a player, for use in the paths of `/api/v1`.'),
  name: text('Its name.'),
  detail: nullable(
    text(
      'Tells things with the same name apart: the first day and the location, or the club and the latest tournament of a player.',
    ),
  ),
  url: nullable(link('Its page on the website. Null for a player when the website has no pages.')),
});
export type FoundThing = Static<typeof FoundThing>;

export const FoundThings = strictObject('What the search found.', {
  data: Type.Array(FoundThing, { description: 'At most 20 things of each kind.' }),
  next: Type.Null({ description: 'There is only one page. Send more of the name instead.' }),
});

export const Change = strictObject('A thing to fetch again.', {
  kind: oneOf(
    ['tournament', 'club', 'battle'],
    'The kind of thing. A tournament also stands for its standings and participants.',
  ),
  key: text('Its slug, or the id of a battle.'),
  change: oneOf(
    ['changed', 'gone'],
    '`changed`: it is new or has changed. `gone`: it is no longer published.',
  ),
  revision: Type.Integer({
    description:
      'The `ETag` of an answer begins with its revision. An answer with a lower one is older than this change.',
  }),
  tournament: nullable(slug('The tournament of a battle. Null for a casual battle and for other things.')),
  at: timestamp(
    'When the change was listed, in UTC. A clock can be set back, so rely on the order of the list, not on the times.',
  ),
});

export const ChangeList = strictObject('A page of changes.', {
  data: Type.Array(Change, { description: 'Each thing once, in the order of the latest changes.' }),
  next,
  after: text('Marks the end of this page. Send it as `after` to get the changes that come later.'),
});

const { slug: tournamentSlug, name, startDate, endDate, status, players } = Tournament.properties;
const { club, finalPlacement } = Participant.properties;
const { faction } = BoardRow.properties;

export const PlayerTournament = strictObject('A tournament that a player played.', {
  slug: tournamentSlug,
  name,
  startDate,
  endDate,
  status,
  players,
  finalPlacement,
  club,
  faction,
  won: count('Battles won, including archived ones. A bye is not a battle.'),
  drawn: count('Battles drawn, counted in the same way.'),
  lost: count('Battles lost, counted in the same way.'),
});

export const PlayerTournamentList = strictObject("A page of a player's tournaments.", {
  data: Type.Array(PlayerTournament, { description: 'The items of this page.' }),
  next,
});

export const Opponent = strictObject('The record of a player against one opponent.', {
  playerId: id('Public id of the opponent.'),
  player: text('Name of the opponent in their last battle.'),
  battles: count('Battles with a result between the two.'),
  won: count('Battles that the player won.'),
  drawn: count('Battles that ended in a draw.'),
  lost: count('Battles that the player lost.'),
  lastBattle: id('Id of their last battle.'),
  lastDate: nullable(date('Day of their last battle. Null when it is not known.')),
});

export const OpponentRecords = strictObject('The record of a player against each opponent.', {
  data: Type.Array(Opponent, { description: 'The opponent with the most battles first.' }),
  next: Type.Null({ description: 'There is only one page.' }),
  isComplete: Type.Boolean({
    description:
      'False when the player has more battles than the newest 1,000, which are all that count here.',
  }),
});

const rate = (description: string) => nullable(Type.Number({ minimum: 0, maximum: 1, description }));

export const FactionRate = strictObject('The record of a faction against all other factions.', {
  faction: text('Name of the faction.'),
  battles: count('Battles with a result against other factions.'),
  won: count('Battles that the faction won.'),
  drawn: count('Battles that ended in a draw.'),
  lost: count('Battles that the faction lost.'),
  winRate: rate('Share of battles won, with a draw as half a win. Null without battles.'),
  low: rate('Lower end of the 95 % Wilson interval of the win rate. Null without battles.'),
  high: rate('Upper end of the interval. Null without battles.'),
  entries: count('Participants who brought the faction, not counting no-shows.'),
  unbeaten: count('Entries that played at least three battles and won them all.'),
  tournamentsWon: count('Tournaments won with the faction.'),
});
export type FactionRate = Static<typeof FactionRate>;

const month = (description: string) => nullable(Type.String({ pattern: '^[0-9]{4}-[0-9]{2}$', description }));

export const FactionRates = strictObject('The records of all factions in a window of time.', {
  data: Type.Array(FactionRate, {
    description:
      'The highest win rate first. Factions with fewer than 30 battles come last, because their rates say little.',
  }),
  next: Type.Null({ description: 'There is only one page.' }),
  from: month('First month in which a tournament counts, such as `2026-03`. Null when none does.'),
  to: month('Last month in which a tournament counts. Null when none does.'),
  tournaments: count('Tournaments that count.'),
});
export type FactionRates = Static<typeof FactionRates>;

const { player, playerId, victoryPoints } = BattlePlayer.properties;

export const PairedPlayer = strictObject('One side of a pairing.', {
  player,
  playerId,
  faction,
  outcome: nullable(
    oneOf(
      outcomes,
      'How the battle ended for this player. In a bracket, the player who advances has won, even after a draw. Null until the result is in.',
    ),
  ),
  points: victoryPoints,
});

export const Pairing = strictObject('Two players who meet, or have met, in the current round.', {
  round: ordinal(
    'Round within the stage. A pairing from an earlier round is listed while its result can still come in.',
  ),
  table: nullable(Type.Integer({ description: 'Number of the table. Null when it is not known.' })),
  battle: nullable(id('Id of the battle, for the battle endpoint. Null when none is on record.')),
  finished: Type.Boolean({ description: 'Whether the result is in.' }),
  players: Type.Array(PairedPlayer, { description: 'Both sides.', minItems: 2, maxItems: 2 }),
});
export type Pairing = Static<typeof Pairing>;

export const CurrentRound = strictObject('The current round of a stage, or of one of its groups.', {
  stage: text('Id of the stage.'),
  name: text('Label of the stage.'),
  group: nullable(text('Group of the stage. Null when the stage has no groups.')),
  round: ordinal('Number of the round within the stage.'),
  roundName: text('Name of the round: `Round 2`, or what the matches of a bracket are called.'),
  results: count('How many results of this round are in.'),
  expected: nullable(
    count('How many results this round will have. Null while further pairings may still be added.'),
  ),
  pairings: Type.Array(Pairing, {
    description:
      'Pairings without a result first, then those with one. They are ordered by table on a board, and as in the ' +
      'standings in a bracket. Only pairings whose players are both known are listed.',
  }),
});
export type CurrentRound = Static<typeof CurrentRound>;

export const CurrentRounds = strictObject('What is being played in a tournament.', {
  data: Type.Array(CurrentRound, {
    description: 'In playing order, one group after another. Empty when nothing is being played.',
  }),
});
