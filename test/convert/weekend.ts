// An event of 24 players and five rounds as its organiser records it: 12 draws, two byes, player 17 drops out
// after round 4, and player 24 joins late, in round 2. The sums were not computed by code in this repository.

/** The games: round, table, player 1, player 2, victory points and battle points of both. */
export const games = `
1 1 3 7 18 18 10 10
1 2 21 14 25 24 10.5 9.5
1 3 8 23 24 17 13.5 6.5
1 4 9 22 32 32 10 10
1 5 19 11 15 22 6.5 13.5
1 6 12 2 11 33 0 20
1 7 4 1 32 22 15 5
1 8 17 6 22 26 8 12
1 9 5 15 18 29 4.5 15.5
1 10 18 16 29 23 13 7
1 11 20 10 12 27 2.5 17.5
1 - 13 - - - 12 -
2 1 4 10 35 11 20 0
2 2 2 13 24 10 17 3
2 3 15 11 19 29 5 15
2 4 8 18 20 27 6.5 13.5
2 5 6 21 10 9 10.5 9.5
2 6 7 9 31 19 16 4
2 7 3 22 17 17 10 10
2 8 1 14 29 27 11 9
2 9 5 19 24 34 5 15
2 10 23 16 21 21 10 10
2 11 24 17 8 12 8 12
2 12 20 12 20 21 9.5 10.5
3 1 11 4 28 35 6.5 13.5
3 2 2 6 15 20 7.5 12.5
3 3 18 7 9 19 5 15
3 4 13 17 30 28 11 9
3 5 12 1 27 27 10 10
3 6 8 19 16 33 1.5 18.5
3 7 21 15 29 24 12.5 7.5
3 8 10 3 32 32 10 10
3 9 22 16 35 32 11.5 8.5
3 10 9 23 13 20 6.5 13.5
3 11 24 5 13 11 11 9
3 12 20 14 34 8 20 0
4 1 4 6 14 14 10 10
4 2 7 21 24 9 17.5 2.5
4 3 19 18 12 21 5.5 14.5
4 4 2 11 19 19 10 10
4 5 13 22 24 19 12.5 7.5
4 6 10 12 24 19 12.5 7.5
4 7 1 23 25 25 10 10
4 8 24 15 22 22 10 10
4 9 20 8 33 13 20 0
4 10 17 3 17 17 10 10
4 11 16 9 12 32 0 20
4 12 14 5 15 29 3 17
5 1 4 7 17 25 6 14
5 2 6 13 8 22 3 17
5 3 18 2 15 21 7 13
5 4 11 10 22 17 12.5 7.5
5 5 20 19 27 15 16 4
5 6 21 22 25 22 11.5 8.5
5 7 23 24 8 8 10 10
5 8 1 9 31 13 19 1
5 9 15 12 28 32 8 12
5 10 3 8 30 21 14.5 5.5
5 11 5 16 20 11 14.5 5.5
5 - 14 - - - 12 -
`;

/**
 * The sums by player number: won, drawn, lost; victory points and difference; battle points and rank; points
 * under 3/1/0 and rank.
 */
export const sums = `
1 | 2 2 1 | 134 10 | 55 7 | 8 10
2 | 3 1 1 | 112 37 | 67.5 3 | 10 3
3 | 1 4 0 | 114 9 | 54.5 8 | 7 13
4 | 3 1 1 | 133 33 | 64.5 4 | 10 4
5 | 2 0 3 | 102 0 | 50 10 | 6 14
6 | 3 1 1 | 78 -4 | 48 13 | 10 6
7 | 4 1 0 | 117 45 | 72.5 1 | 13 1
8 | 1 0 4 | 94 -46 | 27 24 | 3 23
9 | 1 1 3 | 109 -17 | 41.5 18 | 4 21
10 | 2 1 2 | 111 -9 | 47.5 14 | 7 11
11 | 3 1 1 | 120 15 | 57.5 5 | 10 5
12 | 2 1 2 | 110 -22 | 40 19 | 7 12
13 | 4 0 1 | 86 7 | 55.5 6 | 12 2
14 | 1 0 4 | 74 -43 | 33.5 22 | 3 22
15 | 1 1 3 | 122 -8 | 46 17 | 4 20
16 | 0 1 4 | 99 -38 | 31 23 | 1 24
17 | 1 1 2 | 79 -2 | 39 20 | 4 19
18 | 3 0 2 | 101 6 | 53 9 | 9 8
19 | 2 0 3 | 109 -1 | 49.5 12 | 6 15
20 | 3 0 2 | 126 42 | 68 2 | 9 7
21 | 3 0 2 | 97 -7 | 46.5 16 | 9 9
22 | 1 2 2 | 125 -5 | 47.5 15 | 5 18
23 | 1 3 1 | 91 0 | 50 11 | 6 16
24 | 1 2 1 | 51 -2 | 39 21 | 5 17
`;

export const western =
  'Ana Quiroga, Björn Aas, Chloé Lefèvre, Dieter Große, Elena Muñoz, Frank Adeyemi, Giulia Ferrò, Hanna Lindström, Iñigo Etxeberria, Jürgen Weiß, Karin Sørensen, Luca Bianchi, Marie Dubois, Noël Peeters, Olga Novak, Pål Haugen, Quentin Roux, Rosa Díaz, Søren Holm, Théo Blanc, Ulla Bär, Vera Köhler, Wim de Groot, Xavier Núñez';
export const polish =
  'Łukasz Żółkiewski, Michał Wiśniewski, Paweł Kowalczyk, Grażyna Wąs, Stanisław Źrebak, Zofia Świątek, Jan Kołodziej, Elżbieta Dąbrowska, Józef Ćwik, Krzysztof Łoś, Małgorzata Jabłońska, Rafał Gołąb, Wojciech Słowik, Agnieszka Pająk, Tomasz Piątek, Bożena Zając, Mirosław Kądziela, Ewa Król, Sławomir Wróbel, Katarzyna Mróz, Błażej Sęk, Jadwiga Księżyc, Radosław Żuk, Halina Gęś';
