import { Type, type Static, type TSchema } from 'typebox';

import { Battle, BattleDetail } from './battle.ts';
import { Club } from './club.ts';
import { Participant } from './participant.ts';
import { link, nullable, strictObject } from './scalars.ts';
import { Tournament } from './tournament.ts';

export const TournamentList = listOf(Tournament, 'A page of tournaments.');
export type TournamentList = Static<typeof TournamentList>;

export const ParticipantList = listOf(Participant, 'A page of participants.');
export type ParticipantList = Static<typeof ParticipantList>;

export const BattleList = listOf(Battle, 'A page of battles.');
export type BattleList = Static<typeof BattleList>;

export const SingleTournament = single(Tournament, 'One tournament.');
export type SingleTournament = Static<typeof SingleTournament>;

export const SingleClub = single(Club, 'One club.');
export type SingleClub = Static<typeof SingleClub>;

export const SingleBattle = single(BattleDetail, 'One battle in full.');
export type SingleBattle = Static<typeof SingleBattle>;

function listOf<Item extends TSchema>(item: Item, description: string) {
  return strictObject(description, {
    data: Type.Array(item, { description: 'The items of this page.' }),
    next: nullable(
      link('Full address of the next page. Fetch it unchanged. Null when this is the last page.'),
    ),
  });
}

function single<Item extends TSchema>(item: Item, description: string) {
  return strictObject(description, { data: item });
}
