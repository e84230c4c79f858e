import type { Static } from 'typebox';

import {
  causewayBattle,
  causewayBattleDetail,
  championship,
  club,
  friendlyBattle,
  guest,
  plannedTournament,
  semifinalBattle,
  winner,
} from '../../harness/support/example-world.ts';
import type { endpoints } from '../../src/contract/endpoints.ts';

type Examples = {
  readonly [E in (typeof endpoints)[number] as E['operationId']]: Readonly<
    Record<string, { readonly summary: string; readonly value: Static<E['answer']> }>
  >;
};

const address = 'https://api.wartable.example/api/v1';
const cursor = 'v1.eyJhZnRlciI6InNhbXBsZSJ9.c2FtcGxlLXNpZ25hdHVyZQ';

/** At least one realistic answer for each endpoint, from one small invented world. */
export const examples: Examples = {
  listTournaments: {
    firstOfSeveralPages: {
      summary: 'A page with more to come',
      value: {
        data: [plannedTournament, championship],
        next: `${address}/tournaments?limit=2&cursor=${cursor}`,
      },
    },
  },
  getTournament: {
    finished: { summary: 'A finished tournament with a knockout', value: { data: championship } },
  },
  getTournamentStandings: {
    board: {
      summary: 'The merged final standings',
      value: {
        stage: { id: 'standings', name: 'Final Standings', type: 'board' },
        data: [
          boardRow(1, 'Inês Carvalho', 'p_7Kd2mQ', 'Lanternsworn', [18, 6, 0, 1], [263, 71]),
          boardRow(2, 'Tomasz Wrona', 'p_c4Zp8L', 'Quarry Giants', [16, 5, 1, 1], [241.5, 38.5]),
          boardRow(3, null, null, 'Moth Parliament', [15, 5, 0, 2], [229, 26]),
          boardRow(null, 'Ruth Adeyemi', null, null, [0, 0, 0, 0], [0, 0]),
        ],
      },
    },
    groups: {
      summary: 'A group stage',
      value: {
        stage: { id: 'swiss', name: 'Group Stage', type: 'board' },
        data: [
          {
            ...boardRow(1, 'Ștefan Ilie', 'p_Wq03hA', 'Rimehold Kin', [9, 3, 0, 0], [112, 40]),
            group: 'Group A',
          },
          {
            ...boardRow(1, 'Noor Haddad', 'p_ee81Vb', 'Marrow Choir', [7, 2, 1, 0], [98, 17]),
            group: 'Group B',
          },
        ],
      },
    },
    bracket: {
      summary: 'A knockout whose final is still open',
      value: {
        stage: { id: 'knockout', name: 'Top Cut', type: 'bracket' },
        data: [
          {
            round: 'Semi-final',
            table: 1,
            players: ['Inês Carvalho', 'Noor Haddad'],
            winner: 'Inês Carvalho',
            battle: 'b_5rTq07',
          },
          {
            round: 'Semi-final',
            table: 2,
            players: ['Tomasz Wrona', 'Ștefan Ilie'],
            winner: null,
            battle: null,
          },
          { round: 'Final', table: 1, players: [], winner: null, battle: null },
        ],
      },
    },
  },
  listTournamentParticipants: {
    lastPage: {
      summary: 'The last page',
      value: {
        data: [
          {
            player: 'Inês Carvalho',
            playerId: 'p_7Kd2mQ',
            club: 'lantern-street-gamers',
            group: null,
            dropped: false,
            finalPlacement: 1,
            list: winner.list,
          },
          {
            player: 'Ruth Adeyemi',
            playerId: null,
            club: null,
            group: null,
            dropped: true,
            finalPlacement: null,
            list: null,
          },
        ],
        next: null,
      },
    },
  },
  listTournamentBattles: {
    firstOfSeveralPages: {
      summary: 'A page with more to come',
      value: {
        data: [causewayBattle, semifinalBattle],
        next: `${address}/tournaments/harbour-lights-gt-2026/battles?limit=2&cursor=${cursor}`,
      },
    },
  },
  getClub: {
    club: { summary: 'A club', value: { data: club } },
  },
  listClubTournaments: {
    onlyPage: {
      summary: 'All on one page',
      value: { data: [plannedTournament, championship], next: null },
    },
  },
  listClubBattles: {
    firstOfSeveralPages: {
      summary: 'Battles of one spring, with more to come',
      value: {
        data: [friendlyBattle, causewayBattle],
        next: `${address}/clubs/lantern-street-gamers/battles?from=2026-03-01&to=2026-05-31&limit=2&cursor=${cursor}`,
      },
    },
  },
  listPlayerBattles: {
    onlyPage: {
      summary: `A casual battle against ${guest.player}, who has no account, and a final`,
      value: { data: [friendlyBattle, causewayBattle], next: null },
    },
  },
  getBattle: {
    finished: { summary: 'A final, round by round', value: { data: causewayBattleDetail } },
  },
};

function boardRow(
  rank: number | null,
  player: string | null,
  playerId: string | null,
  faction: string | null,
  [battlePoints, wins, draws, losses]: [number, number, number, number],
  [victoryPoints, victoryPointsDiff]: [number, number],
) {
  return {
    rank,
    player,
    playerId,
    faction,
    battlePoints,
    wins,
    draws,
    losses,
    victoryPoints,
    victoryPointsDiff,
  };
}
