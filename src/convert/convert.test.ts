import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TournamentRecord } from '../record/feed/records.ts';
import { defaultTieBreaks } from '../record/feed/tournament-records.ts';
import { convert, type ConvertOptions } from './convert.ts';
import { template } from './template.ts';

const event = 'slug,cup\nname,Cup\nstatus,ongoing\npublished,no\nsize,2000\nscoring,3/1/0\n';
const players = 'no,name\n1,Ana Quiroga\n2,Bjørn Aas\n3,Chidi Eze\n4,Dora Vas\n';
const games = 'round,player 1,player 2,result,vp 1,vp 2\n1,1,2,,20,9\n1,3,4,,,\n';

interface Sheets {
  event?: string;
  players?: string;
  games?: string;
}

function converted(sheets: Sheets = {}, options: ConvertOptions = {}) {
  const all = { event, players, games, ...sheets };
  const files = Object.entries(all).map(([name, text]) => ({
    name: `${name}.csv`,
    bytes: Buffer.from(text),
  }));
  return convert(files, options);
}

function tournament(sheets: Sheets = {}, options: ConvertOptions = {}): TournamentRecord {
  const { feed, refusals } = converted(sheets, options);
  assert.deepEqual(refusals, []);
  return JSON.parse(feed?.trim().split('\n').at(-1) ?? '') as TournamentRecord;
}

const refusals = (sheets: Sheets, options: ConvertOptions = {}): string[] => {
  const { feed, refusals: all } = converted(sheets, options);
  assert.equal(feed, undefined);
  return all;
};

test('the template converts as soon as it has a slug, and is not public', () => {
  const files = Object.entries(template('2026-11-14')).map(([name, text]) => ({
    name,
    bytes: Buffer.from(text),
  }));
  assert.deepEqual(convert(files).refusals, [
    'event.csv:2: slug: expected lower-case letters, digits and hyphens, at most 100, like club-cup-2026: it is the address of the page, found nothing',
  ]);
  const { feed, refusals: all, notes } = convert(files, { event: { slug: 'cup' } });
  assert.deepEqual([all, notes], [[], []]);
  assert.equal((JSON.parse(feed ?? '') as TournamentRecord).published, false);
});

test('the victory points decide unless the result says it; without both there is no result yet', () => {
  const rows = [
    ',20,9 → p1',
    ',9,20 → p2',
    ',14,14 → draw',
    ',,→ none',
    ',20,→ none',
    '1,9,20 → p1',
    '2,, → p2',
    'draw,20,9 → draw',
    'Unentschieden,, → draw',
    'ana quiroga,, → p1',
    '"Aas, Bjørn",, → p2',
    '1 major,, → p1 major',
    'Bjørn Aas (minor),, → p2 minor',
    'minor,9,20 → p2 minor',
    '½-½,, → draw',
    '0:1,, → p2',
    'Niederlage,, → p2',
  ];
  for (const row of rows) {
    const [cells = '', meaning] = row.split(/ ?→ /);
    const [battle] =
      tournament({ games: `round,player 1,player 2,result,vp 1,vp 2\n1,1,2,${cells}\n` }).battles ?? [];
    const result = [battle?.winner ?? (battle?.finished ? 'draw' : 'none'), battle?.victorySize].filter(
      Boolean,
    );
    assert.equal(result.join(' '), meaning, row);
  }
});

test('without victory points the battle points decide', () => {
  const { battles = [] } = tournament({ games: 'round,player 1,player 2,bp 1,bp 2\n1,1,2,6.5,13.5\n' });
  assert.deepEqual(
    [battles[0]?.winner, battles[0]?.sides.map((side) => side.battlePoints)],
    ['p2', [6.5, 13.5]],
  );
});

test('an empty player 2 is a bye, and a word for it as a player is one, too', () => {
  const sheets = {
    players: `${players}9,Bye\n`,
    games:
      'round,player 1,player 2,bp 1,bp 2,vp 1,vp 2,result\n1,1,,10,,20,5\n1,2,Freilos,,,,\n1,exempt,3,,7,,12,2\n1,4,9,,,,\n',
  };
  const { byes, participants = [] } = tournament(sheets);
  const bye = { stage: 'swiss', round: 1, win: true, victoryPoints: 0, victoryPointsDiff: 0 };
  assert.deepEqual(byes, [
    { ...bye, participant: 'p1', battlePoints: 10, victoryPoints: 20, victoryPointsDiff: 15 },
    { ...bye, participant: 'p2', battlePoints: 3 },
    { ...bye, participant: 'p3', battlePoints: 7, victoryPoints: 12 },
    { ...bye, participant: 'p4', battlePoints: 3 },
  ]);
  assert.equal(participants.length, 4);
  assert.deepEqual(converted(sheets).notes, ['players.csv:6: "Bye" is a bye and no player']);
});

test('without battle points, `scoring` gives them on boards; a cell with points comes before it', () => {
  const rows = [
    '1,1,2,,20,9,,',
    '1,3,4,draw,,,,',
    '2,1,3,2,,,,5',
    '2,2,,,,,,',
    '2,4,,draw,,,,',
    'final,1,2,1,,,,',
  ];
  const { battles = [], byes = [] } = tournament({
    event: event.replace('3/1/0', '20 - 10 - 0'),
    games: `round,player 1,player 2,result,vp 1,vp 2,bp 1,bp 2\n${rows.join('\n')}\n3,1,2,,,,,\n`,
  });
  assert.deepEqual(
    battles.map(({ sides }) => sides.map(({ battlePoints }) => battlePoints)),
    [
      [20, 0],
      [10, 10],
      [0, 5],
      [undefined, undefined],
      [undefined, undefined],
    ],
  );
  assert.deepEqual(
    byes.map(({ participant, win, battlePoints }) => [participant, win, battlePoints]),
    [
      ['p2', true, 20],
      ['p4', false, 10],
    ],
  );
  for (const text of ['3 1 0', '3:1:0', '"3, 1, 0"', '"3,1,0"', '3-1-0'])
    assert.equal(
      tournament({ event: event.replace('3/1/0', text) }).battles?.[0]?.sides[0]?.battlePoints,
      3,
      text,
    );
  for (const text of ['3/1', '0/1/3', '03.01.2000', '3/1/2000', '3/1/0/0', 'x'])
    assert.match(
      refusals({ event: event.replace('3/1/0', text) }).join(),
      /^event.csv:6: scoring: expected the battle/,
      text,
    );
});

test('results without battle points and without `scoring` get a note, and a draw is refused', () => {
  const bare = { event: event.replace(/scoring.*\n/, '') };
  const note =
    'games.csv: 1 result has no battle points, so only wins count: add the row "scoring", "3 | 1 | 0" to the event sheet, or fill in bp 1 and bp 2';
  assert.deepEqual(converted(bare).notes, [note]);
  const drawn = { ...bare, games: games.replace('1,3,4,,,', '1,3,4,,7,7') };
  const sentence =
    'games.csv:3: bp 1: expected the battle points of a drawn game, found none (add the row "scoring", "3 | 1 | 0" to the event sheet, or fill in bp 1 and bp 2)';
  assert.deepEqual(refusals(drawn), [sentence]);
  assert.deepEqual(converted(drawn, { skipUnreadableResults: true }).skipped, [`${sentence}: ${skipped}`]);
  const { battles } = tournament(drawn, { skipUnreadableResults: true });
  assert.deepEqual(battles?.[1]?.sides, [{ participant: 'p3' }, { participant: 'p4' }]);
  assert.equal(battles?.[1]?.finished, undefined);
  const knockout = { ...bare, games: `${games}final,1,2,draw,,\n` };
  assert.deepEqual(converted(knockout).refusals, [], 'battle points do not count in a bracket');
});

const skipped = 'the game has no result until this is corrected, and an earlier result is gone';

test('a result that cannot be read can be skipped; another mistake still refuses everything', () => {
  const skip = { skipUnreadableResults: true };
  const sheets = {
    games:
      'round,player 1,player 2,result,vp 1,vp 2\n1,1,2,12-8,,\n1,3,4,1,2O,9\n2,1,3,#REF!,,\n2,2,,1,x,\n3,1,4,1,20,3\n',
  };
  const result = '1, 2, draw or the name of the winner (points go into vp 1 and vp 2, or bp 1 and bp 2)';
  const sentences = [
    `games.csv:2: result: expected ${result}, found "12-8"`,
    'games.csv:3: vp 1: expected a number with at most two decimals, found "2O"',
    'games.csv:4: result: expected a value, found the error #REF! of a formula',
    'games.csv:5: vp 1: expected a number with at most two decimals, found "x"',
  ];
  assert.deepEqual(refusals(sheets), sentences);
  const { skipped: left, notes } = converted(sheets, skip);
  assert.deepEqual([left, notes], [sentences.map((sentence) => `${sentence}: ${skipped}`), []]);
  const { battles = [], byes } = tournament(sheets, skip);
  const half = converted({ games: games.replace('20,9', '2O,9') }, skip);
  assert.deepEqual(
    [half.skipped.length, half.notes],
    [1, []],
    'no note that the points of one side are missing',
  );
  const bare = battles.filter(({ finished }) => !finished);
  assert.deepEqual(
    bare.map(({ winner, sides }) => [winner, ...sides]),
    ['1 2', '3 4', '1 3'].map((pair) => [
      undefined,
      ...pair.split(' ').map((no) => ({ participant: `p${no}` })),
    ]),
  );
  assert.deepEqual(battles.at(-1)?.sides[0], { participant: 'p1', battlePoints: 3, victoryPoints: 20 });
  assert.deepEqual([byes?.[0]?.win, byes?.[0]?.battlePoints], [true, 3]);
  assert.deepEqual(refusals({ ...sheets, players: players.replace('2,Bj', 'two,Bj') }, skip), [
    'players.csv:3: no: expected a whole number between 1 and 999999, found "two"',
    ...sentences,
  ]);
  const round = { games: sheets.games.replace('3,1,4', 'later,1,4') };
  assert.equal(refusals(round, skip).length, 5, 'then all mistakes are named');
});

test('an empty row of the scoring is named as the sheet names it', () => {
  const sheets = { event: event.replace('scoring,3/1/0', 'Wertung,') };
  assert.deepEqual(converted(sheets).notes, [
    'games.csv: 1 result has no battle points, so only wins count: give "Wertung" in the event sheet a value such as "3 | 1 | 0", or fill in bp 1 and bp 2',
  ]);
});

test('battle points of one side alone get a note, because they may be in the wrong column', () => {
  const rows = ['1,1,2,1,20,9,,22', '1,3,4,2,9,20,5,', '2,1,,,,,22,'];
  const { feed, notes } = converted({
    games: `round,player 1,player 2,result,vp 1,vp 2,bp 1,TP 2\n${rows.join('\n')}\n`,
  });
  assert.notEqual(feed, undefined);
  assert.deepEqual(notes, [
    'games.csv:2: TP 2: bp 1 is empty, so that side gets the battle points of the scoring',
    'games.csv:3: bp 1: TP 2 is empty, so that side gets the battle points of the scoring',
  ]);
});

test('a result that cannot be read has the battle points of its row', () => {
  const sheets = {
    event: event.replace(/scoring.*\n/, ''),
    games: 'round,player 1,player 2,result,TP 1,TP 2\n1,1,2,12-8,12,8\n1,3,4,7-13,,\n',
  };
  assert.deepEqual(converted(sheets).notes, [
    'games.csv: 1 result has no battle points, so only wins count: add the row "scoring", "3 | 1 | 0" to the event sheet, or fill in TP 1 and TP 2',
  ]);
});

test('a result against its points is sent, with a note', () => {
  const head = 'round,player 1,player 2,result,vp 1,vp 2,bp 1,bp 2\n';
  const notesOf = (cells: string) => converted({ games: `${head}1,1,2,${cells}\n` }).notes;
  for (const cells of ['1,20,9,,', '2,9,20,,', 'draw,9,9,,', '1,,9,,', '2,20,,,', '1,9,9,3,0'])
    assert.deepEqual(notesOf(cells), [], cells);
  const fewer = (points: string) => [`games.csv:2: result: the winner has fewer ${points}`];
  assert.deepEqual(notesOf('2,20,9,,'), fewer('victory points (20 and 9)'));
  assert.deepEqual(notesOf('Bjørn Aas,20,9,5,0'), fewer('victory points (20 and 9)'), 'once');
  for (const cells of ['1,,,3,5', ',20,9,3,5'])
    assert.deepEqual(notesOf(cells), fewer('battle points (3 and 5)'), cells);
  assert.deepEqual(notesOf('draw,20,9.5,3,1'), [
    'games.csv:2: result: a draw with 20 and 9.5 victory points',
  ]);
});

test('`tie-breaks` are names of the feed in the order of the organiser; without them the usual order is in force', () => {
  const named = (cells: string) => tournament({ event: `${event}tie-breaks,${cells}\n` }).tieBreaks;
  const wanted = ['wins', 'victoryPointsDiff', 'headToHead'];
  for (const cells of [
    '"wins, victoryPointsDiff, headToHead"',
    'Wins,victory points diff,head-to-head',
    'wins;victoryPointsDiff;headtohead',
  ])
    assert.deepEqual(named(cells), wanted, cells);
  // A row that was deleted from the sheet must not stay in force.
  assert.deepEqual(tournament().tieBreaks, defaultTieBreaks);
  for (const cells of ['luck', '"wins, wins"', '"wins,"'])
    assert.match(
      refusals({ event: `${event}tie-breaks,${cells}\n` }).join(),
      /tie-breaks: expected names of battlePoints, wins/,
    );
});

test('adjustments are not in the record, so those of a feed stay', () => {
  assert.equal('adjustments' in tournament(), false);
});

test('a slug that is not the one of --slug is refused, because it is another event', () => {
  assert.deepEqual(refusals({}, { event: { slug: 'other' } }), [
    'event.csv:1: slug: expected other, as --slug says: another slug is another event, found "cup"',
  ]);
  assert.equal(tournament({}, { event: { slug: ' cup ' } }).slug, 'cup');
  assert.equal(
    tournament({ event: event.replace('slug,cup', 'slug,') }, { event: { slug: 'cup' } }).slug,
    'cup',
  );
});

test('points that have two readings get a note; a bye with points of one side gets none', () => {
  const { notes } = converted({
    games: 'round,player 1,player 2,VP a,vp 2\n1,1,2,12.500,9\n1,3,,7,\n1,4,,,\n',
  });
  assert.deepEqual(notes, [
    'games.csv:2: VP a: 12.500 was read as 12500 (a decimal has one or two digits, like 12.5)',
  ]);
});

test('more than 100 stages are refused before anything is built', () => {
  const rows = Array.from({ length: 101 }, (_, index) => `places 5-${index + 6},1,2`);
  const all = refusals({ games: `round,player 1,player 2\n${rows.join('\n')}\n` });
  assert.deepEqual(all, [
    'games.csv:102: round: expected at most 100 different stages and places in an event, found "places 5-106"',
  ]);
});

test('columns with content but without a known name are refused while no game has a result', () => {
  const sheet = (header: string, ...rows: string[]) => ({
    games: `round,player 1,player 2,result,${header}\n${rows.join('\n')}\n`,
  });
  assert.deepEqual(refusals(sheet('S1,', '1,1,2,,20,9')), [
    'games.csv: expected a result in a column that is known, found only "S1", "column 6" with content: call them vp 1 and vp 2 (victory points), bp 1 and bp 2 (battle points), result or winner; if they have no results, put the name in brackets, like (S1)',
  ]);
  assert.deepEqual(converted(sheet('(S1)', '1,1,2,,20')).notes, []);
  assert.equal(tournament(sheet('S1', '1,1,2,1,20')).battles?.length, 1);
  assert.equal(tournament(sheet('S1', '1,1,2,,')).battles?.length, 1);
});

test('named rounds make the bracket with its matches, and the final is its last round', () => {
  const rows = ['Halbfinale,1,1,4,1', 'Halbfinale,2,2,3,1', 'Finale,1,1,2,2', 'Platz 3,2,4,3,1'];
  const { stages, matches } = tournament({
    games: `round,table,player 1,player 2,result\n1,1,1,2,1\n1,2,3,4,1\n${rows.join('\n')}\n`,
  });
  const members = (...numbers: number[]) => numbers.map((no) => ({ participant: `p${no}` }));
  assert.deepEqual(stages, [
    { id: 'swiss', label: 'Swiss Stage', type: 'board', rounds: 1, ranking: null },
    { id: 'knockout', label: 'Top 4', type: 'bracket', rounds: 2, members: members(1, 2, 3, 4) },
    { id: 'placement-3', label: 'Place 3', type: 'bracket', rounds: 1, members: members(3, 4) },
  ]);
  assert.deepEqual(
    matches?.map(({ stage, round, position, players: both, winner, battle }) =>
      [stage, round, position, both?.join('-'), winner, battle].join(' '),
    ),
    [
      'knockout 1 1 p1-p4 p1 cup_knockout_of4_1_4',
      'knockout 1 2 p2-p3 p2 cup_knockout_of4_2_3',
      'knockout 2 1 p1-p2 p2 cup_knockout_of2_1_2',
      'placement-3 1 1 p4-p3 p4 cup_placement-3_1_3_4',
    ],
  );
});

test('the event sheet announces rounds and a knockout that have no games yet', () => {
  const { stages } = tournament({ event: `${event}rounds,5\ntop,8\n` });
  assert.deepEqual(
    stages?.map(({ id, rounds, members }) => [id, rounds, members]),
    [
      ['swiss', 5, undefined],
      ['knockout', 3, undefined],
    ],
  );
});

test('options come before the event sheet, and can stand for all of it', () => {
  assert.equal(tournament({}, { event: { status: 'finished', name: 'Other' } }).name, 'Other');
  const files = [
    { name: 'p.csv', bytes: Buffer.from(players) },
    { name: 'g.csv', bytes: Buffer.from(games) },
  ];
  const facts = { slug: 'cup', name: 'Cup', status: 'ongoing', published: 'yes', size: '2.000' };
  assert.deepEqual(convert(files, { event: facts }).refusals, []);
  assert.deepEqual(convert(files, { event: { ...facts, start: '5/11/2026' } }).refusals, [
    '--start: expected a date with one reading (say --dates dmy or --dates mdy), found "5/11/2026"',
  ]);
});

test('a bye is not lost: as the only cell of its row, or with a dash for its result', () => {
  const byes = (sheets: Record<string, string>, name = 'games.csv') => {
    const all = { 'event.csv': event, 'players.csv': players, [name]: sheets['games'] ?? '' };
    const { feed = '{}', notes } = convert(
      Object.entries(all).map(([file, text]) => ({ name: file, bytes: Buffer.from(text) })),
    );
    const { byes: found } = JSON.parse(feed) as TournamentRecord;
    return [found?.map(({ participant, win }) => `${participant} ${win}`), notes];
  };
  const alone = 'player 1,player 2,vp 1,vp 2\n1,2,12,8\nChidi Eze,,,\n4,,,\nRound one,,,\n';
  assert.deepEqual(byes({ games: alone }, 'round_1.csv'), [
    ['p3 true', 'p4 true'],
    ['round_1.csv:5: left out a row without players'],
  ]);
  const dashes =
    'round,player 1,player 2,player 1 result,player 2 result\n1,1,2,W,L\n1,3,,-,-\n1,Bye,4,–,W\n';
  assert.deepEqual(byes({ games: dashes }), [['p3 true', 'p4 true'], []]);
  assert.deepEqual(byes({ games: 'round,player 1,player 2,result\n1,1,2,-\n1,3,,-\n' }), [['p3 true'], []]);
});

test('nothing is public by omission, and every required fact is asked for at once', () => {
  assert.deepEqual(refusals({ event: 'slug,Cup 2026\ncity,Brest\nend,2026-01-01\nstart,2026-01-02\n' }), [
    'event.csv: name: expected the name of the event, found nothing',
    'event.csv: status: expected planned, ongoing or finished, found nothing',
    'event.csv: published: expected yes or no: nothing is public by omission, found nothing',
    'event.csv: size: expected the points of an army, for example 2000, found nothing',
    'event.csv:1: slug: expected lower-case letters, digits and hyphens, at most 100, like club-cup-2026: it is the address of the page, found "Cup 2026"',
    'event.csv:3: end: expected 2026-01-02 or later, found "2026-01-01"',
  ]);
});

test('a preview needs neither a slug nor `published`; mistakes of all sheets are told at once', () => {
  const bare = 'name,Cup\nstatus,ongoing\nsize,2000\nscoring,3/1/0\n';
  assert.deepEqual(converted({ event: bare }, { isAlone: true }).refusals, []);
  const sheets = {
    event: 'name,Cup\nstatus,soon\n',
    players: players.replace('2,Bj', 'two,Bj'),
    games: `${games}1,1,,,x,\n1,7,4,1-2,,\nlater,1,3,1,,\n2,3,4,,5,5\n`,
  };
  assert.deepEqual(refusals(sheets, { isAlone: true }), [
    'event.csv: size: expected the points of an army, for example 2000, found nothing',
    'event.csv:2: status: expected planned, ongoing or finished, found "soon"',
    'games.csv:4: vp 1: expected a number with at most two decimals, found "x"',
    'games.csv:4: player 1: expected each player once in a round, found 1 again (first in games.csv:2)',
    'games.csv:5: result: expected 1, 2, draw or the name of the winner (points go into vp 1 and vp 2, or bp 1 and bp 2), found "1-2"',
    'games.csv:5: player 2: expected each player once in a round, found 4 again (first in games.csv:3)',
    'games.csv:6: round: expected a number, or a name like final, semi-final, round of 16 or place 3, found "later"',
    'games.csv:7: bp 1: expected the battle points of a drawn game, found none (add the row "scoring", "3 | 1 | 0" to the event sheet, or fill in bp 1 and bp 2)',
    'players.csv:3: no: expected a whole number between 1 and 999999, found "two"',
  ]);
});

test('a player with an id is a registered one, from the sheet or from a file', () => {
  const sheet = 'no,name,player id\n1,Ana,ana-q\n2,Bo,\n3,Cy,\n4,Di,\n';
  const { participants } = tournament({ players: sheet }, { players: new Map([[3, 'cy']]) });
  assert.deepEqual(
    participants?.map(({ player, name }) => player ?? name),
    ['ana-q', 'Bo', 'cy', 'Di'],
  );
});

test('a club that is not known is left out and named, the organiser too; --new-clubs sends it', () => {
  const sheets = {
    event: `${event}organiser,North Gate\n`,
    players: 'no,name,club\n1,Ana,Tidewatch Gamers\n2,Bo,lantern-hall\n3,Cy,North Gate\n4,Di,\n',
  };
  const known: [string, string][] = [
    ['tidewatch', 'Tidewatch Gamers'],
    ['lantern-hall', ''],
  ];
  const clubs = { known, newClubs: false };
  const without = tournament(sheets, { clubs });
  assert.deepEqual(
    [without.organizer, without.participants?.map(({ club }) => club)],
    [null, ['tidewatch', 'lantern-hall', undefined, undefined]],
  );
  assert.deepEqual(converted(sheets, { clubs }).notes, [
    'the club "North Gate" is not on the list of clubs and was left out (2 times): add --new-clubs to show it, or see --clubs',
  ]);
  const { feed } = converted(sheets, { clubs: { known, newClubs: true } });
  assert.match(feed ?? '', /^\{"kind":"club","slug":"north-gate","name":"North Gate","onlyIfNew":true\}\n/);
  assert.equal(tournament(sheets, { clubs: { known, newClubs: true } }).organizer, 'north-gate');
});

test('a list needs points and a faction; a sub-faction without a list goes to the battles', () => {
  const sheet =
    'no,name,faction,subfaction,points,list\n1,Ana,Kin,Wing,1.980,"one\ntwo"\n2,Bo,Kin,Wing,,\n3,Cy,,,,\n4,Di,,,,\n';
  const { participants, battles } = tournament({ players: sheet });
  const list = { faction: 'Kin', subFaction: 'Wing', points: 1980, battleTacticCards: [], text: 'one\ntwo' };
  assert.deepEqual(participants?.slice(0, 2), [
    { id: 'p1', name: 'Ana', faction: 'Kin', list },
    { id: 'p2', name: 'Bo', faction: 'Kin' },
  ]);
  assert.deepEqual(
    battles?.[0]?.sides.map((side) => side.subFaction),
    [undefined, 'Wing'],
  );
  assert.deepEqual(
    refusals({ players: 'no,name,faction,points,list\n1,Ana,Kin,,text\n2,Bo,,2000,\n3,C,,,\n4,D,,,\n' }),
    [
      'players.csv:2: points: expected the points of the list, found nothing',
      'players.csv:3: faction: expected the faction of the list, found nothing',
    ],
  );
});

test('groups are the same in any order of rows, and every player has one', () => {
  const { groups, stages } = tournament({
    players: 'no,name,group\n1,A,Group 10\n2,B,Group 2\n3,C,Group 2\n4,D,Group 10\n',
  });
  assert.deepEqual(groups, ['Group 2', 'Group 10']);
  assert.deepEqual(stages, [
    { id: 'swiss', label: 'Group Stage', type: 'board', rounds: 1, grouped: true, ranking: null },
  ]);
  assert.deepEqual(refusals({ players: 'no,name,group\n1,A,x\n2,B,\n3,C,x\n4,D,x\n' }), [
    'players.csv:3: group: expected a group, because other players have one, found nothing',
  ]);
});

test('dropped, a no-show and a place', () => {
  const { participants } = tournament({
    event: event.replace('ongoing', 'finished'),
    players: 'no,name,dropped,place\n1,A,x,1.\n2,B,no-show,\n3,C,no,2nd\n4,D,,\n',
  });
  assert.deepEqual(participants, [
    { id: 'p1', name: 'A', dropped: true, finalPlacement: 1 },
    { id: 'p2', name: 'B', noShow: true },
    { id: 'p3', name: 'C', finalPlacement: 2 },
    { id: 'p4', name: 'D' },
  ]);
});

test('unknown columns are named and left out; columns of one meaning are refused', () => {
  const { notes } = converted({
    players: players.replace('no,name', 'no,name,E-Mail').replace('Quiroga', 'Quiroga,a@b.example'),
  });
  assert.deepEqual(notes, ['players.csv:1: the column "E-Mail" is not known and was left out']);
  assert.deepEqual(refusals({ players: 'no,name,Spieler\n1,Ana,Ana\n2,B,\n3,C,\n4,D,\n' }), [
    'players.csv:1: Spieler: expected one column for name, found "name" and "Spieler"',
  ]);
});

test('a forgotten sheet is refused, because the feed would remove what it leaves out', () => {
  const [first] = [{ name: 'event.csv', bytes: Buffer.from(event) }];
  assert.deepEqual(convert(first ? [first] : []).refusals, [
    'games sheet: expected one for an event that is not planned, found none',
    'players sheet: expected one for an event that is not planned, found none',
  ]);
  const { refusals: none } = convert(first ? [first] : [], { event: { status: 'planned' } });
  assert.deepEqual(none, []);
});

test('the id of a battle stays when its players change sides, or an earlier round is added', () => {
  const ids = (rows: string) =>
    tournament({ games: `round,player 1,player 2\n${rows}` })
      .battles?.map(({ id }) => id)
      .toSorted();
  const before = ids('1,1,2\nfinal,3,4\n');
  assert.deepEqual(before, ['cup_knockout_of2_3_4', 'cup_swiss_1_1_2']);
  assert.deepEqual(ids('1,2,1\nfinal,4,3\n'), before);
  assert.deepEqual(
    ids('1,1,2\nfinal,3,4\nsemi-final,1,3\n'),
    [...(before ?? []), 'cup_knockout_of4_1_3'].toSorted(),
  );
});

test('the id of a battle is a digest where it would be too long', () => {
  const slug = 'a'.repeat(80);
  const [battle] = tournament({ event: event.replace('cup', slug) }).battles ?? [];
  assert.match(battle?.id ?? '', /^[0-9a-f]{40}$/);
});

test('a name of several words is known in both orders, with and without its comma', () => {
  for (const name of ['María José de la Cruz', '"de la Cruz, María José"', 'de la Cruz María José'])
    assert.equal(
      tournament({
        players: 'no,name\n1,"de la Cruz, María José"\n2,Bo\n',
        games: `round,player 1,player 2,winner\n1,2,${name},${name}\n`,
      }).battles?.[0]?.winner,
      'p1',
      name,
    );
});

test('a column of winners names players, by number or by name', () => {
  const winners = (column: string): (string | null | undefined)[] =>
    tournament({
      players: 'no,name\n1,Anna Kleiner\n2,"Müller, Bea"\n3,Chidi Eze\n4,Dora Vas\n',
      games: `round,player 1,player 2,${column}\n1,3,1,1\n1,"Müller, Bea",Dora Vas,"Müller, Bea"\n2,1,2,Anna Kleiner\n2,3,4,3 minor\n`,
    }).battles?.map(({ winner }) => winner) ?? [];
  assert.deepEqual(winners('winner'), ['p1', 'p2', 'p1', 'p3']);
  assert.deepEqual(winners('Sieger'), ['p1', 'p2', 'p1', 'p3']);
  assert.match(refusals({ games: 'round,player 1,player 2,winner\n1,3,4,1\n' }).join(), /name of the winner/);
});

test('the text of a list has as many bytes as a feed may bring, and not one more', () => {
  const list = (text: string) =>
    `no,name,faction,points,list\n1,Ana,Kin,2000,${text}\n2,Bo,,,\n3,C,,,\n4,D,,,\n`;
  assert.equal(
    tournament({ players: list('ü'.repeat(10_000)) }).participants?.[0]?.list?.text?.length,
    10_000,
  );
  for (const text of ['a'.repeat(20_001), 'ü'.repeat(10_001)])
    assert.match(refusals({ players: list(text) }).join(), /a list of up to 20000 bytes/);
});

test('a knockout names its members when more than half of them are known', () => {
  const membersAfter = (rows: string) =>
    tournament({ event: `${event}top,4\n`, games: `round,player 1,player 2\n1,1,2\n${rows}` }).stages?.find(
      ({ id }) => id === 'knockout',
    )?.members?.length;
  assert.equal(membersAfter(''), undefined);
  assert.equal(membersAfter('semi-final,1,4\n'), undefined);
  assert.equal(membersAfter('semi-final,1,4\nsemi-final,2,3\n'), 4);
});
