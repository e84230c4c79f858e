// The rules that a battle must follow by itself, without the rest of its tournament.
import {
  checkDate,
  checkDecimals,
  checkDistinct,
  checkList,
  checkPerson,
  pathInRecord,
  within,
} from './check-values.ts';
import type { BattleEntry, CasualBattleRecord, CasualSide, TournamentSide } from './tournament-records.ts';
import { expected, found, type Problem } from './problem.ts';
import { visiblePattern } from './scalars.ts';

const visible = new RegExp(visiblePattern, 'u');

export function checkBattles(battles: BattleEntry[], part: string, problems: Problem[]): void {
  checkDistinct(battles, part, (battle) => battle.id, problems);
  for (const [index, battle] of battles.entries()) {
    const at = pathInRecord(part, index);
    checkBattle(
      battle,
      battle.sides.map((side) => side.participant),
      at,
      problems,
    );
  }
}

export function checkCasualBattle(battle: CasualBattleRecord, problems: Problem[]): void {
  for (const [index, side] of battle.sides.entries()) checkPerson(side, `sides[${index}]`, problems);
  const people = battle.sides.map((side) => side.player ?? side.name ?? '');
  if (typeof battle.winner === 'string' && people[0] === people[1]) {
    const message = `expected a winner that names one side, found ${found(battle.winner)}, who is both`;
    problems.push({ path: 'winner', message });
  }
  const [first, second] = battle.sides;
  const same = first?.player !== undefined && first.player !== null && first.player === second?.player;
  // Two guests may have the same name. Otherwise the two sides must be different people.
  checkBattle(
    battle,
    same ? people : people.map((person, index) => `${person}\n${index}`),
    '',
    problems,
    people,
  );
}

function checkBattle(
  battle: BattleEntry | CasualBattleRecord,
  people: string[],
  at: string,
  problems: Problem[],
  named: string[] = people,
): void {
  checkDate(battle.date, within(at, 'date'), problems);
  const [first, second] = battle.sides;
  if (battle.sides.length !== 2 || !first || !second) {
    const message = `expected exactly two sides, found ${battle.sides.length}`;
    problems.push({ path: within(at, 'sides'), message });
  } else {
    if (people[0] === people[1]) {
      problems.push(expected(within(at, 'sides'), 'two different people', people[0]));
    }
    if (typeof battle.winner === 'string' && !named.includes(battle.winner)) {
      problems.push(expected(within(at, 'winner'), 'one of the two sides', battle.winner));
    }
    if (first.role && first.role === second.role) {
      const message = `expected an attacker and a defender, found two ${first.role}s`;
      problems.push({ path: within(at, 'sides'), message });
    }
  }
  if (battle.winner && battle.finished !== true) {
    problems.push(expected(within(at, 'finished'), 'true where there is a winner', battle.finished));
  }
  if (battle.victorySize && !battle.winner) {
    problems.push(expected(within(at, 'victorySize'), 'none where there is no winner', battle.victorySize));
  }
  for (const [index, side] of battle.sides.entries()) {
    checkSide(side, within(at, `sides[${index}].`), problems);
  }
}

function checkSide(side: TournamentSide | CasualSide, at: string, problems: Problem[]): void {
  checkList(side, at.slice(0, -1), problems);
  if (side.list && Object.keys(side.list).length === 1 && !side.faction)
    problems.push(expected(`${at}faction`, 'a faction beside a list with a subFaction alone', side.faction));
  checkDecimals(side.battlePoints, at, 'battlePoints', problems);
  checkDecimals(side.victoryPoints, at, 'victoryPoints', problems);
  checkDecimals(side.objectivePoints, at, 'objectivePoints', problems);
  if (side.metrics) checkMetrics(side.metrics, `${at}metrics`, problems);
  if (!side.rounds) return;
  checkDistinct(side.rounds, `${at}rounds`, (round) => String(round.round), problems);
  for (const [index, round] of side.rounds.entries()) {
    checkDecimals(round.victoryPoints, `${at}rounds[${index}].`, 'victoryPoints', problems);
    checkDecimals(round.objectivePoints, `${at}rounds[${index}].`, 'objectivePoints', problems);
    if (round.metrics) checkMetrics(round.metrics, `${at}rounds[${index}].metrics`, problems);
  }
}

function checkMetrics(metrics: Record<string, number | boolean>, at: string, problems: Problem[]): void {
  for (const [name, value] of Object.entries(metrics)) {
    if (name === '__proto__' || !visible.test(name) || name.length > 200) {
      problems.push({ path: at, message: `expected the names of metrics, found ${found(name)}` });
    }
    if (typeof value === 'number' && Math.abs(value) > 1_000_000) {
      problems.push(expected(`${at}[${found(name)}]`, 'a number between -1000000 and 1000000', value));
    }
    checkDecimals(value, at, `[${found(name)}]`, problems);
  }
}
