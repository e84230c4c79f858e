// Checks a change of a tournament: everything it names must be in the change or already recorded.
import { elementPath, type TournamentChange } from './tournament-change.ts';
import type { BattleEntry, TournamentSide } from '../feed/tournament-records.ts';
import { expected, found, type Problem } from '../feed/problem.ts';
import { type ChangedTournament, checkStage, somebody, viewOf } from './changed-tournament.ts';
import type { Known, Referred } from '../recording/recording.ts';
import type { TournamentHeader } from '../facts/tournament-header.ts';
import { checkRankings } from './check-rankings.ts';
import type { RecordedTournament } from './recorded-tournament.ts';

export function checkTournament(
  change: TournamentChange,
  header: TournamentHeader,
  stored: RecordedTournament | undefined,
  known: Known,
): Problem[] {
  const problems: Problem[] = [];
  const view = viewOf(change, header, stored);
  checkHeader(change, header, known, problems);
  checkUsedMetrics(view, stored, problems);
  checkParticipants(change, view, known, problems);
  checkStages(change, view, problems);
  checkRankings(change, header, view, problems);
  checkNamed(change, view, 'byes', problems);
  checkNamed(change, view, 'adjustments', problems);
  checkBattles(change, view, known, problems);
  checkMatches(change, view, problems);
  return problems;
}

function checkHeader(
  { whole }: TournamentChange,
  header: TournamentHeader,
  known: Known,
  problems: Problem[],
): void {
  if (!whole) return;
  const { startDate, endDate } = header;
  if (startDate && endDate && endDate < startDate && !(whole.startDate && whole.endDate)) {
    // Report the date that the record has, because the other one is stored.
    if (whole.startDate) problems.push(expected('startDate', `${endDate} or earlier`, startDate));
    else problems.push(expected('endDate', `${startDate} or later`, endDate));
  }
  checkKnown(known, 'clubs', whole.organizer, 'organizer', problems);
  checkKnown(known, 'packs', whole.battlePack, 'battlePack', problems);
  for (const [index, id] of (whole.tournamentOrganizers ?? []).entries()) {
    checkKnown(known, 'players', id, `tournamentOrganizers[${index}]`, problems);
  }
}

/**
 * Checks the metrics that stored battles use. The record may not remove them or change the type of their
 * values in rounds.
 */
function checkUsedMetrics(
  view: ChangedTournament,
  stored: RecordedTournament | undefined,
  problems: Problem[],
): void {
  for (const { name, type, battle } of stored?.usedMetrics ?? []) {
    const now = view.metrics.get(name);
    if (now === undefined) {
      const message = `expected ${found(name)}, which battle "${battle}" uses, found it left out`;
      problems.push({ path: 'metrics', message });
    } else if (type !== null && now !== type) {
      const message = `expected ${found(name)} of type ${type}, as in battle "${battle}", found ${now}`;
      problems.push({ path: 'metrics', message });
    }
  }
}

const nouns: Record<keyof Referred, string> = {
  players: 'a recorded player',
  clubs: 'a recorded club',
  packs: 'a recorded battle pack',
};

export function checkKnown(
  known: Known,
  kind: keyof Referred,
  key: string | null | undefined,
  path: string,
  problems: Problem[],
): void {
  if (key && !known.has(kind, key)) problems.push(expected(path, nouns[kind], key));
}

function checkParticipants(
  change: TournamentChange,
  view: ChangedTournament,
  known: Known,
  problems: Problem[],
): void {
  if (!change.parts.participants) return;
  const grouped = [...view.stages].filter(([, stage]) => stage.grouped);
  for (const [index, { id, player, club, group }] of change.parts.participants.entries()) {
    const at = elementPath(change, 'participants', index);
    checkKnown(known, 'players', player, `${at}player`, problems);
    checkKnown(known, 'clubs', club, `${at}club`, problems);
    if (group && !view.groups.has(group))
      problems.push(expected(`${at}group`, "one of the tournament's groups", group));
    const stage = group ? undefined : grouped.find(([, each]) => each.everybody || each.members.has(id));
    if (stage)
      problems.push(expected(`${at}group`, `a group, because ${stage[0]} is played in groups`, group));
  }
}

function checkStages(change: TournamentChange, view: ChangedTournament, problems: Problem[]): void {
  for (const [index, stage] of (change.parts.stages ?? []).entries()) {
    for (const [position, { participant }] of (stage.members ?? []).entries()) {
      if (view.participants.has(participant)) continue;
      problems.push(expected(`stages[${index}].members[${position}].participant`, somebody, participant));
    }
    if (!stage.grouped || change.parts.participants) continue;
    const members = stage.members?.map(({ participant }) => participant) ?? [...view.participants.keys()];
    for (const alone of members.filter((member) => view.participants.get(member)?.group === null)) {
      const message = `expected every member in a group, found "${alone}" without one`;
      problems.push({ path: `stages[${index}].grouped`, message });
    }
  }
}

/** Checks byes and adjustments, which name a stage and a participant. */
function checkNamed(
  change: TournamentChange,
  view: ChangedTournament,
  part: 'byes' | 'adjustments',
  problems: Problem[],
): void {
  for (const [index, { stage, participant }] of (change.parts[part] ?? []).entries()) {
    const at = elementPath(change, part, index);
    checkStage(view, stage, at, problems);
    if (!view.participants.has(participant))
      problems.push(expected(`${at}participant`, somebody, participant));
  }
}

function checkBattles(
  change: TournamentChange,
  view: ChangedTournament,
  known: Known,
  problems: Problem[],
): void {
  for (const [index, battle] of (change.parts.battles ?? []).entries()) {
    const at = elementPath(change, 'battles', index);
    checkStage(view, battle.stage, at, problems);
    checkKnown(known, 'packs', battle.battlePack, `${at}battlePack`, problems);
    checkSides(battle, view, at, problems);
  }
}

function checkSides(battle: BattleEntry, view: ChangedTournament, at: string, problems: Problem[]): void {
  for (const [index, side] of battle.sides.entries()) {
    const participant = view.participants.get(side.participant);
    if (!participant) {
      problems.push(expected(`${at}sides[${index}].participant`, somebody, side.participant));
    }
    const listFaction = participant?.listFaction ?? null;
    if (side.faction && !side.list && listFaction !== null && side.faction !== listFaction) {
      const wanted = `the faction of the participant's list ("${listFaction}")`;
      problems.push(expected(`${at}sides[${index}].faction`, wanted, side.faction));
    }
    checkMetrics(side, view, `${at}sides[${index}].`, problems);
  }
}

function checkMetrics(side: TournamentSide, view: ChangedTournament, at: string, problems: Problem[]): void {
  for (const name of Object.keys(side.metrics ?? {})) {
    if (view.metrics.has(name)) continue;
    problems.push(expected(`${at}metrics`, 'the names of metrics of the tournament', name));
  }
  for (const [index, { metrics }] of (side.rounds ?? []).entries()) {
    if (!metrics) continue;
    for (const [name, value] of Object.entries(metrics)) {
      const type = view.metrics.get(name);
      const path = `${at}rounds[${index}].metrics`;
      if (type === undefined) problems.push(expected(path, 'the names of metrics of the tournament', name));
      else if (typeof value !== (type === 'number' ? 'number' : 'boolean')) {
        problems.push(
          expected(`${path}[${found(name)}]`, type === 'number' ? 'a number' : 'true or false', value),
        );
      }
    }
  }
}

function checkMatches(change: TournamentChange, view: ChangedTournament, problems: Problem[]): void {
  for (const [index, match] of (change.parts.matches ?? []).entries()) {
    const at = elementPath(change, 'matches', index);
    checkStage(view, match.stage, at, problems);
    for (const [side, player] of (match.players ?? []).entries()) {
      if (!view.participants.has(player)) problems.push(expected(`${at}players[${side}]`, somebody, player));
    }
    if (!match.battle) continue;
    const battle = view.battles.get(match.battle);
    if (battle?.stage !== match.stage) {
      problems.push(expected(`${at}battle`, `a battle of ${match.stage}`, match.battle));
    } else if (String(battle.participants.toSorted()) !== String((match.players ?? []).toSorted())) {
      problems.push(expected(`${at}battle`, 'a battle between the players of the match', match.battle));
    }
  }
}
