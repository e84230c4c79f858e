// The rules for a single record that its JSON Schema cannot state. They need no database.
import { IsUri } from 'typebox/format';
import { idPattern, slugPattern } from '../../contract/patterns.ts';
import { checkBattles, checkCasualBattle } from './check-battle.ts';
import type {
  ByeEntry,
  MatchEntry,
  ParticipantEntry,
  RankingEntry,
  StageEntry,
} from './tournament-records.ts';
import type { FeedRecord, TournamentRecord } from './records.ts';
import {
  checkDate,
  checkDistinct,
  checkList,
  checkPerson,
  checkPoints,
  pathInRecord,
  within,
} from './check-values.ts';
import { expected, type Problem } from './problem.ts';
import { isBoard } from './scalars.ts';

export function checkAlone(record: FeedRecord): Problem[] {
  const problems: Problem[] = [];
  switch (record.kind) {
    case 'tournament':
      checkTournament(record, problems);
      break;
    case 'participant':
      checkParticipants([record], '', problems);
      break;
    case 'battle':
      if ('tournament' in record) checkBattles([record], '', problems);
      else checkCasualBattle(record, problems);
      break;
    case 'bye':
      checkByes([record], '', problems);
      break;
    case 'match':
      checkMatches([record], '', problems);
      break;
    case 'ranking':
      if (!isBoard(record.stage)) problems.push(expected('stage', 'a board', record.stage));
      checkRanks(record, '', problems);
      break;
    case 'remove':
      checkRemoval(record.of, 'id' in record ? record.id : '', problems);
      break;
    case 'moved':
      checkRemoval(record.of, record.id, problems);
      checkRemoval(record.of, record.to, problems, 'to');
      if (record.id === record.to) problems.push(expected('to', 'another name than the old one', record.to));
      break;
    case 'player':
      if (record.erased === true && record.name !== undefined) {
        problems.push({ path: 'name', message: 'expected no name for an erased player, found one' });
      }
      break;
    case 'club':
      // The contract promises a URI, which is ASCII only.
      if (record.website && !IsUri(record.website)) {
        const wanted = 'an address in ASCII (punycode in the host, percent-encoding after it)';
        problems.push(expected('website', wanted, record.website));
      }
      break;
    case 'battlePack':
    case 'end':
      break;
  }
  return problems;
}

function checkTournament(record: TournamentRecord, problems: Problem[]): void {
  checkDate(record.startDate, 'startDate', problems);
  checkDate(record.endDate, 'endDate', problems);
  if (record.startDate && record.endDate && record.endDate < record.startDate) {
    problems.push(expected('endDate', `${record.startDate} or later`, record.endDate));
  }
  checkDistinct(record.tieBreaks, 'tieBreaks', (tieBreak) => tieBreak, problems);
  checkDistinct(record.tournamentOrganizers, 'tournamentOrganizers', (id) => id, problems);
  checkDistinct(record.groups, 'groups', (name) => name, problems);
  checkDistinct(record.metrics, 'metrics', (metric) => metric.name, problems);
  for (const [index, { name }] of (record.metrics ?? []).entries()) {
    if (name === '__proto__') problems.push(expected(`metrics[${index}].name`, 'another name', name));
  }
  checkStages(record.stages ?? [], problems);
  checkParticipants(record.participants ?? [], 'participants', problems);
  checkBattles(record.battles ?? [], 'battles', problems);
  checkByes(record.byes ?? [], 'byes', problems);
  checkMatches(record.matches ?? [], 'matches', problems);
  for (const [index, adjustment] of (record.adjustments ?? []).entries()) {
    checkPoints(adjustment, `adjustments[${index}].`, problems);
  }
}

function checkStages(stages: StageEntry[], problems: Problem[]): void {
  checkDistinct(stages, 'stages', (stage) => stage.id, problems);
  for (const [index, stage] of stages.entries()) {
    const at = `stages[${index}]`;
    const type = isBoard(stage.id) ? 'board' : 'bracket';
    if (!hasPlacements(stage.id)) {
      const wanted = 'a first place of 3 or below it and a last place after it';
      problems.push(expected(`${at}.id`, wanted, stage.id));
    }
    if (stage.type !== type) problems.push(expected(`${at}.type`, `"${type}" for ${stage.id}`, stage.type));
    if (!stage.label && !(stage.grouped && stage.id === 'swiss')) {
      problems.push(expected(`${at}.label`, 'a label, as only a grouped swiss may go without', stage.label));
    }
    if (stage.grouped && type !== 'board')
      problems.push(expected(`${at}.grouped`, 'false for a bracket', true));
    checkDistinct(stage.members, `${at}.members`, (member) => member.participant, problems);
    if (stage.ranking) {
      if (type !== 'board') problems.push(expected(`${at}.ranking`, 'none for a bracket', stage.ranking));
      checkRanks(stage.ranking, `${at}.ranking.`, problems);
    }
    if (stage.carriesOver) {
      const earlier = stages.slice(0, index).find(({ id }) => id === stage.carriesOver);
      if (earlier?.type !== 'board' || type !== 'board') {
        problems.push(expected(`${at}.carriesOver`, 'an earlier board for a board', stage.carriesOver));
      }
    }
  }
}

const checkRanks = ({ ranks }: Pick<RankingEntry, 'ranks'>, at: string, problems: Problem[]): void =>
  checkDistinct(ranks, `${at}ranks`, ({ participant }) => participant, problems);

/**
 * Checks an id like `placement-5-8`: placements 1 and 2 belong to the knockout, and the last one comes after
 * the first.
 */
function hasPlacements(stage: string): boolean {
  const [, first, last] = /^placement-(\d+)(?:-(\d+))?$/.exec(stage) ?? [];
  return first === undefined || (Number(first) >= 3 && Number(last ?? Infinity) > Number(first));
}

function checkParticipants(participants: ParticipantEntry[], part: string, problems: Problem[]): void {
  checkDistinct(participants, part, (participant) => participant.id, problems);
  checkDistinct(participants, part, (participant) => participant.player, problems, 'player');
  for (const [index, participant] of participants.entries()) {
    const at = pathInRecord(part, index);
    checkPerson(participant, at, problems);
    checkList(participant, at, problems);
  }
}

function checkByes(byes: ByeEntry[], part: string, problems: Problem[]): void {
  checkDistinct(byes, part, (bye) => `${bye.stage} ${bye.round} ${bye.participant}`, problems);
  for (const [index, bye] of byes.entries())
    checkPoints(bye, within(pathInRecord(part, index), ''), problems);
}

function checkMatches(matches: MatchEntry[], part: string, problems: Problem[]): void {
  checkDistinct(matches, part, (match) => `${match.stage} ${match.round} ${match.position}`, problems);
  for (const [index, { players = [], winner, stage }] of matches.entries()) {
    const at = pathInRecord(part, index);
    if (isBoard(stage)) problems.push(expected(within(at, 'stage'), 'a bracket', stage));
    if (players.length === 2 && players[0] === players[1]) {
      problems.push(expected(within(at, 'players'), 'two different participants', players[0]));
    }
    if (winner && !players.includes(winner)) {
      problems.push(expected(within(at, 'winner'), 'one of the players of the match', winner));
    } else if (winner && players.length < 2) {
      problems.push(expected(within(at, 'winner'), 'no winner until both players are known', winner));
    }
  }
}

function checkRemoval(of: string, id: string, problems: Problem[], path = 'id'): void {
  const bySlug = of === 'club' || of === 'tournament';
  if (id === '' || of === 'battlePack' || new RegExp(bySlug ? slugPattern : idPattern).test(id)) return;
  problems.push(expected(path, bySlug ? 'a slug' : 'an id', id));
}
