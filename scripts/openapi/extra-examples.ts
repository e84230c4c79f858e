import type { Static } from 'typebox';

import type { extraEndpoints } from '../../src/contract/extra/endpoints.ts';

type Examples = {
  readonly [E in (typeof extraEndpoints)[number] as E['operationId']]: Readonly<
    Record<string, { readonly summary: string; readonly value: Static<E['answer']> }>
  >;
};
const address = 'https://api.wartable.example/api/extra/v1';
export const extraExamples: Examples = {
  search: {
    twoKinds: {
      summary: 'A tournament and a player',
      value: {
        data: [
          {
            kind: 'tournament',
            key: 'harbour-lights-gt-2026',
            name: 'Harbour Lights GT 2026',
            detail: '2026-04-18 · Porto das Garças, Portugal',
            url: 'https://wartable.example/tournaments/harbour-lights-gt-2026',
          },
          {
            kind: 'player',
            key: 'p_7Kd2mQ',
            name: 'Inês Carvalho',
            detail: 'Lantern Street Gamers · Harbour Lights GT 2026',
            url: null,
          },
        ],
        next: null,
      },
    },
  },
  listChanges: {
    page: {
      summary: 'A result, and a battle that was removed',
      value: {
        data: [
          {
            kind: 'tournament',
            key: 'harbour-lights-gt-2026',
            change: 'changed',
            revision: 1776528000123456,
            tournament: null,
            at: '2026-04-18T16:00:00.480Z',
          },
          {
            kind: 'battle',
            key: 'b_9fXw41',
            change: 'gone',
            revision: 1776527000123456,
            tournament: 'harbour-lights-gt-2026',
            at: '2026-04-18T16:00:02.116Z',
          },
        ],
        next: `${address}/changes?limit=2&after=4f1c09d2a7be.1041`,
        after: '4f1c09d2a7be.1041',
      },
    },
    nothingNew: {
      summary: 'Where a follower begins',
      value: { data: [], next: null, after: '4f1c09d2a7be.1041' },
    },
  },
  listPlayerTournaments: {
    page: {
      summary: 'A finished tournament, and one of a version that counted no battles',
      value: {
        data: [
          {
            slug: 'harbour-lights-gt-2026',
            name: 'Harbour Lights GT 2026',
            startDate: '2026-03-14',
            endDate: '2026-03-15',
            status: 'finished',
            players: 32,
            finalPlacement: 2,
            club: 'lantern-street-gamers',
            faction: 'Lanternsworn',
            won: 5,
            drawn: 1,
            lost: 1,
          },
          {
            slug: 'midwinter-muster-2014',
            name: 'Midwinter Muster 2014',
            startDate: null,
            endDate: null,
            status: 'finished',
            players: 12,
            finalPlacement: null,
            club: null,
            faction: null,
            won: 2,
            drawn: 0,
            lost: 1,
          },
        ],
        next: null,
      },
    },
  },
  listPlayerOpponents: {
    rivals: {
      summary: 'Three battles with one opponent, and one with another',
      value: {
        data: [
          {
            playerId: 'p_mm20Xz',
            player: 'Duarte Pinho',
            battles: 3,
            won: 1,
            drawn: 1,
            lost: 1,
            lastBattle: 'b_9fXw41',
            lastDate: '2026-03-15',
          },
          {
            playerId: 'p_0aBq9T',
            player: 'Łucja Baran',
            battles: 1,
            won: 1,
            drawn: 0,
            lost: 0,
            lastBattle: 'b_2kT8pA',
            lastDate: null,
          },
        ],
        next: null,
        isComplete: true,
      },
    },
  },
  listFactions: {
    year: {
      summary: 'A faction with enough battles, and one that somebody only brought',
      value: {
        data: [
          {
            faction: 'Lanternsworn',
            battles: 412,
            won: 214,
            drawn: 20,
            lost: 178,
            winRate: 0.5437,
            low: 0.4955,
            high: 0.5912,
            entries: 96,
            unbeaten: 3,
            tournamentsWon: 4,
          },
          {
            faction: 'Rimehold Kin',
            battles: 0,
            won: 0,
            drawn: 0,
            lost: 0,
            winRate: null,
            low: null,
            high: null,
            entries: 1,
            unbeaten: 0,
            tournamentsWon: 0,
          },
        ],
        next: null,
        from: '2025-05',
        to: '2026-04',
        tournaments: 38,
      },
    },
    nothing: {
      summary: 'No tournament counts',
      value: { data: [], next: null, from: null, to: null, tournaments: 0 },
    },
  },
  getTournamentNow: {
    knockout: {
      summary: 'A knockout: one match with a result, one that has no battle yet',
      value: {
        data: [
          {
            stage: 'knockout',
            name: 'Top Cut',
            group: null,
            round: 1,
            roundName: 'Semi-final',
            results: 1,
            expected: 2,
            pairings: [
              {
                round: 1,
                table: 2,
                battle: null,
                finished: false,
                players: [
                  { player: 'Łucja Baran', playerId: 'p_0aBq9T', faction: null, outcome: null, points: null },
                  { player: 'Maren', playerId: null, faction: null, outcome: null, points: null },
                ],
              },
              {
                round: 1,
                table: 1,
                battle: 'b_9fXw41',
                finished: true,
                players: [
                  {
                    player: 'Inês Carvalho',
                    playerId: 'p_7Kd2mQ',
                    faction: 'Lanternsworn',
                    outcome: 'win',
                    points: 24,
                  },
                  {
                    player: 'Duarte Pinho',
                    playerId: 'p_mm20Xz',
                    faction: 'Rimehold Kin',
                    outcome: 'loss',
                    points: 19,
                  },
                ],
              },
            ],
          },
        ],
      },
    },
    nothing: { summary: 'Nothing is played', value: { data: [] } },
  },
};
