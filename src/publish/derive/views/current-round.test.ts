import assert from 'node:assert/strict';
import { test } from 'node:test';
import { battle, match, participant, side, stage, tournament } from '../../../../harness/support/facts.ts';
import { stageNow } from './current-round.ts';

const swiss = stage('swiss', ['a', 'b', 'c', 'd'], { rounds: 3 });
const knockout = stage('knockout', ['a', 'b', 'c', 'd'], { rounds: 2 });

/** Makes battles from texts: `1 ab` has a result, `1 ab?` has none. */
function games(...texts: string[]) {
  return texts.map((text) => {
    const [round, players = ''] = text.split(' ');
    const sides = [side(players[0] ?? null), side(players[1] ?? null)] as ReturnType<typeof battle>['sides'];
    return battle({ id: text, round: Number(round), finished: !text.endsWith('?'), sides });
  });
}

function of(texts: string[], more: Parameters<typeof tournament>[0] = {}, shown = swiss) {
  const people = ['a', 'b', 'c', 'd'].map((id) => participant(id));
  const facts = { stages: [swiss, knockout], participants: people, battles: games(...texts), ...more };
  const { now, missing } = stageNow(tournament(facts), shown);
  const words = now.map(({ group = '', round, results, games: all, isOver, open }) =>
    [group, `round ${round}:`, `${results}/${all}`, isOver && 'over', ...open].filter(Boolean).join(' '),
  );
  return [...words, ...missing.map((id) => `missing ${id}`)].join(', ');
}

test('a board is in the highest round with a result until it is over, then in the next paired one', () => {
  assert.equal(of([]), '');
  assert.equal(of(['2 ac?', '1 ab?', '1 cd?']), 'round 1: 0/2 1 ab? 1 cd?');
  assert.equal(of(['1 ab', '1 cd?', '2 ac?']), 'round 1: 1/2 1 cd?');
  assert.equal(of(['1 ab', '1 cd']), 'round 1: 2/2 over');
  assert.equal(of(['1 ab', '1 cd', '2 ac?', '2 bd?']), 'round 2: 0/2 2 ac? 2 bd?');
  // Neither player of table cd has played on, so the result may still come.
  assert.equal(of(['1 ab', '1 cd?', '2 ab']), 'round 2: 1/1 1 cd?');
});

test('a game is overtaken when one of its players has a later result, or both have dropped', () => {
  assert.equal(of(['1 ab', '1 cd?', '2 ac', '2 bd?']), 'round 2: 1/2 2 bd?, missing 1 cd?');
  const dropped = ['a', 'b', 'c', 'd'].map((id) => participant(id, { dropped: id > 'b' }));
  assert.equal(
    of(['1 ab', '1 cd?', '2 ab?'], { participants: dropped }),
    'round 2: 0/1 2 ab?, missing 1 cd?',
  );
  const one = ['a', 'b', 'c', 'd'].map((id) => participant(id, { dropped: id === 'd' }));
  assert.equal(of(['1 ab', '1 cd?'], { participants: one }), 'round 1: 1/2 1 cd?');
});

test('a round whose players have all dropped is passed over, and is not over without a result', () => {
  const dropped = (gone: string) => ({
    participants: ['a', 'b', 'c', 'd'].map((id) => participant(id, { dropped: gone.includes(id) })),
  });
  assert.equal(of(['1 ab?', '2 cd?'], dropped('ab')), 'round 2: 0/1 2 cd?, missing 1 ab?');
  assert.equal(of(['1 ab?'], dropped('ab')), 'round 1: 0/1, missing 1 ab?');
  assert.equal(of(['1 ab', '1 cd', '2 ac?', '3 bd?'], dropped('ac')), 'round 3: 0/1 3 bd?, missing 2 ac?');
  assert.equal(of(['1 ab', '1 cd', '2 ac?'], dropped('ac')), 'round 2: 0/1, missing 2 ac?');
});

test('a round is over when all play in it but one, who may have a bye that the platform does not send', () => {
  const five = (more: object = {}) => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const stages = [stage('swiss', ids, { rounds: 3 })];
    return { stages, participants: ids.map((id) => participant(id)), ...more };
  };
  const total = (texts: string[], more: object) => {
    const facts = tournament({ ...five(more), battles: games(...texts) });
    const { now, total: all } = stageNow(facts, facts.stages[0] ?? swiss);
    return `${all.results} of ${all.expected}${now.every(({ isOver }) => isOver) ? ' over' : ''}`;
  };
  assert.equal(total(['1 ab'], {}), '1 of null');
  assert.equal(total(['1 ab', '1 cd?'], {}), '1 of 2');
  assert.equal(total(['1 ab', '1 cd'], {}), '2 of 2 over');
  const gone = (dropped: boolean) =>
    ['a', 'b', 'c', 'd', 'e'].map((id) => participant(id, id < 'c' ? {} : { dropped, noShow: !dropped }));
  assert.equal(total(['1 ab'], { participants: gone(true) }), '1 of 1 over');
  assert.equal(total(['1 ab'], { participants: gone(false) }), '1 of 1 over');
  const bye = (participantId: string) => ({
    stage: 'swiss',
    round: 1,
    win: true,
    battlePoints: 0,
    victoryPoints: 0,
    victoryPointsDiff: 0,
    participant: participantId,
  });
  assert.equal(total(['1 ab'], { byes: [bye('c'), bye('d')] }), '1 of 1 over');
  assert.equal(total(['1 ab'], { byes: [bye('c')] }), '1 of null');
});

test('groups are counted together, each in its own round, and the number of all results only grows', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const groups = stage('swiss', ids, { rounds: 2, grouped: true });
  const participants = ids.map((id) => participant(id, { group: id > 'd' ? 'South' : 'North' }));
  const total = (...finished: string[]) => {
    const all = ['1 ab', '1 cd', '2 ac', '2 bd', '1 ef', '1 gh', '2 eg', '2 fh'];
    const battles = games(...all.map((text) => (finished.includes(text) ? text : `${text}?`)));
    const facts = { stages: [groups], participants, groups: ['North', 'South'], battles };
    const { total: counted, results } = stageNow(tournament(facts), groups);
    return `${counted.results} of ${counted.expected}, ${results}`;
  };
  assert.equal(total('1 ab'), '1 of 4, 1');
  // North is in round 2, South in round 1.
  assert.equal(total('1 ab', '1 cd'), '0 of 4, 2');
  assert.equal(total('1 ab', '1 cd', '2 ac', '1 ef'), '2 of 4, 4');
  assert.equal(total('1 ab', '1 cd', '2 ac', '2 bd', '1 ef'), '3 of 4, 5');
  assert.equal(total('1 ab', '1 cd', '2 ac', '2 bd', '1 ef', '1 gh'), '2 of 4, 6');
  assert.equal(total('1 ab', '1 cd', '2 ac', '2 bd', '1 ef', '1 gh', '2 eg'), '3 of 4, 7');
});

test('a bye is no result', () => {
  const bye = {
    stage: 'swiss',
    participant: 'c',
    win: true,
    battlePoints: 0,
    victoryPoints: 0,
    victoryPointsDiff: 0,
  };
  assert.equal(of(['1 cd?'], { byes: [{ ...bye, round: 2 }] }), 'round 1: 0/1 1 cd?');
  assert.equal(of(['1 cd?', '2 ab?'], { byes: [{ ...bye, round: 2 }] }), 'round 1: 0/1 1 cd?');
});

test('a game is overtaken when neither player can still be playing it: one has a bye, the other has dropped', () => {
  const bye = (id: string) => ({
    stage: 'swiss',
    round: 2,
    participant: id,
    win: true,
    battlePoints: 0,
    victoryPoints: 0,
    victoryPointsDiff: 0,
  });
  const participants = ['a', 'b', 'c', 'd'].map((id) => participant(id, { dropped: id === 'd' }));
  const texts = ['1 ab', '1 cd?', '2 ab'];
  assert.equal(of(texts, { participants, byes: [bye('c')] }), 'round 2: 1/1 over, missing 1 cd?');
  assert.equal(of(texts, { byes: [bye('c'), bye('d')] }), 'round 2: 1/1 over, missing 1 cd?');
  assert.equal(of(texts, { byes: [bye('c')] }), 'round 2: 1/1 over 1 cd?');
  const absent = ['a', 'b', 'c', 'd'].map((id) => participant(id, { noShow: id > 'b' }));
  assert.equal(of(texts, { participants: absent }), 'round 2: 1/1 over, missing 1 cd?');
});

test('a result of a later phase overtakes every open game, a pairing does not', () => {
  const paired = { matches: [match('knockout', 1, 1, ['a', 'b'])] };
  assert.equal(of(['1 ab', '1 cd?'], paired), 'round 1: 1/2 1 cd?');
  assert.equal(of(['1 ab', '1 cd'], paired), '');
  assert.equal(
    of(['1 ab', '1 cd?'], { matches: [match('knockout', 1, 1, ['a', 'b'], 'a')] }),
    'missing 1 cd?',
  );
});

test('each group is in its lowest round with an open game, and both must have played on to overtake one', () => {
  const groups = stage('swiss', ['a', 'b', 'c', 'd'], { rounds: 3, grouped: true });
  const people = ['a', 'b', 'c', 'd'].map((id) => participant(id, { group: id > 'b' ? 'South' : 'North' }));
  const more = { stages: [groups], participants: people, groups: ['South', 'North'] };
  assert.equal(
    of(['1 ab', '2 ab?', '3 ab?', '1 cd?', '2 cd?'], more, groups),
    'South round 1: 0/1 1 cd?, North round 2: 0/1 2 ab?',
  );
  assert.equal(of(['1 ab?', '2 ac', '3 ab?'], more, groups), 'North round 1: 0/1 1 ab?');
  assert.equal(of(['1 ab?', '2 ab', '3 ab?'], more, groups), 'North round 3: 0/1 3 ab?, missing 1 ab?');
});

test('a bracket is in its lowest round with an open match, and its round has a name', () => {
  const now = (...matches: ReturnType<typeof match>[]) =>
    stageNow(tournament({ stages: [knockout], matches }), knockout).now.map(
      ({ round, titles, results, games: all, isOver }) =>
        `${round} ${titles?.map(({ name }) => name).join()} ${results}/${all} ${isOver}`,
    );
  const semi = (winner?: string) => match('knockout', 1, 1, ['a', 'b'], winner);
  const other = (winner?: string) => match('knockout', 1, 2, ['c', 'd'], winner);
  assert.deepEqual(now(match('knockout', 1, 1, []), match('knockout', 2, 1, [])), []);
  assert.deepEqual(now(semi('a'), other(), match('knockout', 2, 1, ['a'])), ['1 Semi-final 1/2 false']);
  assert.deepEqual(now(semi('a'), other(), match('knockout', 2, 1, ['a', 'c'])), ['1 Semi-final 1/2 false']);
  assert.deepEqual(now(semi('a'), other('c'), match('knockout', 2, 1, [])), ['1 Semi-final 2/2 true']);
  assert.deepEqual(now(semi('a'), other('c'), match('knockout', 2, 1, ['a', 'c'])), ['2 Final 0/1 false']);
});

test('a round of a bracket is over when all its matches are told and decided', () => {
  const count = (id: string, members: number, rounds: number, ...matches: ReturnType<typeof match>[]) => {
    const ids = Array.from({ length: members }, (_, i) => `m${i}`);
    const shown = stage(id, ids, { rounds });
    const { now, total } = stageNow(tournament({ stages: [shown], matches }), shown);
    return `${total.results} of ${total.expected}${now[0]?.isOver ? ' over' : ''}`;
  };
  const won = (id: string, round: number, position: number) =>
    match(id, round, position, [`${round}${position}a`, `${round}${position}b`], `${round}${position}a`);
  const quarters = [won('knockout', 1, 1), won('knockout', 1, 2)];
  assert.equal(count('knockout', 8, 3, ...quarters), '2 of 4');
  assert.equal(
    count('knockout', 8, 3, ...quarters, won('knockout', 1, 3), won('knockout', 1, 4)),
    '4 of 4 over',
  );
  // Two of six have a bye.
  assert.equal(count('knockout', 6, 3, ...quarters), '2 of 2 over');
  assert.equal(count('knockout', 0, 3, ...quarters), '2 of null');
  assert.equal(count('knockout', 0, 3, ...quarters, won('knockout', 2, 1)), '1 of 2');
  assert.equal(count('knockout', 0, 1, won('knockout', 1, 1)), '1 of 1 over');
  assert.equal(count('knockout', 2, 1, won('knockout', 1, 1), won('knockout', 1, 2)), '2 of 2 over');
  assert.equal(count('placement-5-8', 4, 2, won('placement-5-8', 1, 1)), '1 of 2');
  assert.equal(count('placement-5-8', 4, 2, won('placement-5-8', 2, 1)), '1 of 2');
  assert.equal(count('placement-3', 2, 1, won('placement-3', 1, 1)), '1 of 1 over');
});

test('a bracket after a board has only the players of its matches, unless the feed lists them', () => {
  const everybody = stage('knockout', ['a', 'b', 'c', 'd', 'e', 'f'], { rounds: 2, everybody: true });
  const expected = (stages: ReturnType<typeof stage>[], ...matches: ReturnType<typeof match>[]) =>
    stageNow(tournament({ stages, matches }), everybody).total.expected;
  const semis = [match('knockout', 1, 1, ['a', 'b'], 'a'), match('knockout', 1, 2, ['c', 'd'])];
  assert.equal(expected([swiss, everybody], ...semis), 2);
  // The API doesn't know how many players such a bracket has, either.
  assert.equal(expected([swiss, everybody], ...semis.slice(0, 1)), null);
  const six = { ...everybody, rounds: 3 };
  assert.equal(stageNow(tournament({ stages: [six], matches: semis }), six).total.expected, 2);
});

test('a match of a bracket whose battle is finished is not open, although it has no winner yet', () => {
  const sides = (first: string, second: string) => [side(first), side(second)] as [never, never];
  const game = (id: string, finished: boolean, first = 'a', second = 'b') =>
    battle({ id, stage: 'knockout', round: 1, finished, sides: sides(first, second) });
  const semi = (winner?: string) => ({ ...match('knockout', 1, 1, ['a', 'b'], winner), battle: 'one' });
  const other = { ...match('knockout', 1, 2, ['c', 'd']), battle: 'two' };
  const now = (battles: ReturnType<typeof battle>[], matches = [semi(), other]) =>
    stageNow(tournament({ stages: [knockout], matches, battles }), knockout).now.map(
      ({ round, results, games: all, open, done }) =>
        `${round} ${results}/${all} ${open?.join()} ${done.join()}`,
    );
  assert.deepEqual(now([game('one', false), game('two', false, 'c', 'd')]), ['1 0/2 one,two ']);
  assert.deepEqual(now([game('one', true), game('two', false, 'c', 'd')]), ['1 1/2 two one']);
  // A battle of other players says nothing about the match.
  assert.deepEqual(now([game('one', true, 'a', 'c'), game('two', false, 'c', 'd')]), ['1 0/2 two ']);
  const final = { ...match('knockout', 2, 1, ['b', 'd']), battle: 'three' };
  assert.deepEqual(now([game('one', true)], [semi(), { ...other, winner: 'd' }, final]), ['2 0/1  one']);
});
