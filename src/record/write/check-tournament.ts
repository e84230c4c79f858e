// Checks a change of a tournament: everything it names must be in the change or already recorded.
import { elementPath, type TournamentChange } from './tournament-change.ts';
import type {
  BattleEntry,
  MetricEntry,
  ParticipantEntry,
  TournamentSide,
} from '../feed/tournament-records.ts';
import { expected, found, type Problem } from '../feed/problem.ts';
import { subFactionOf } from '../feed/record-warnings.ts';
import type { Known, Referred } from './recording.ts';
import type { TournamentHeader } from '../facts/tournament-header.ts';
import type { KnownBattle, KnownParticipant, KnownStage, RecordedTournament } from './recorded-tournament.ts';

/** The tournament after the change: the parts of the change, and the stored parts that it leaves out. */
interface View {
  metrics: Map<string, MetricEntry['type']>;
  stages: Map<string, KnownStage>;
  groups: Set<string>;
  participants: ReadonlyMap<string, KnownParticipant>;
  battles: Map<string, KnownBattle>;
}

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
  checkNamed(change, view, 'byes', problems);
  checkNamed(change, view, 'adjustments', problems);
  checkBattles(change, view, known, problems);
  checkMatches(change, view, problems);
  return problems;
}

function viewOf(
  change: TournamentChange,
  header: TournamentHeader,
  stored: RecordedTournament | undefined,
): View {
  const { whole, parts } = change;
  return {
    metrics: new Map(header.metrics.map(({ name, type }) => [name, type])),
    stages: parts.stages
      ? new Map(
          parts.stages.map(({ id, rounds, grouped = false, members }) => [
            id,
            {
              rounds,
              grouped,
              everybody: !members,
              members: new Set(members?.map(({ participant }) => participant)),
            },
          ]),
        )
      : (stored?.stages ?? new Map<string, KnownStage>()),
    groups: parts.groups ? new Set(parts.groups) : (stored?.groups ?? new Set()),
    participants: participantsOf(change, stored),
    battles:
      whole && parts.battles
        ? new Map(
            parts.battles.map(({ id, stage, sides }) => [
              id,
              { stage, participants: sides.map(({ participant }) => participant) },
            ]),
          )
        : (stored?.battles ?? new Map<string, KnownBattle>()),
  };
}

export const participantsOf = (
  { whole, parts }: TournamentChange,
  stored: RecordedTournament | undefined,
): ReadonlyMap<string, KnownParticipant> =>
  whole && parts.participants
    ? new Map(parts.participants.map(ofRecord))
    : (stored?.participants ?? new Map());

const ofRecord = (entry: ParticipantEntry): [string, KnownParticipant] => [
  entry.id,
  {
    group: entry.group ?? null,
    listFaction: entry.list ? (entry.list.faction ?? entry.faction ?? null) : null,
    listSubFaction: subFactionOf(entry.list),
  },
];

function checkHeader(
  { whole }: TournamentChange,
  header: TournamentHeader,
  known: Known,
  problems: Problem[],
): void {
  if (!whole) return;
  const { startDate, endDate } = header;
  if (startDate && endDate && endDate < startDate && !(whole.startDate && whole.endDate)) {
    // Report the date that the record carries. The other one is stored.
    if (whole.startDate) problems.push(expected('startDate', `${endDate} or earlier`, startDate));
    else problems.push(expected('endDate', `${startDate} or later`, endDate));
  }
  checkKnown(known, 'clubs', whole.organizer, 'organizer', problems);
  checkKnown(known, 'packs', whole.battlePack, 'battlePack', problems);
  for (const [index, id] of (whole.tournamentOrganizers ?? []).entries()) {
    checkKnown(known, 'players', id, `tournamentOrganizers[${index}]`, problems);
  }
}

/** Stored battles use these metrics: the record may not remove them or change the type of their values in rounds. */
function checkUsedMetrics(view: View, stored: RecordedTournament | undefined, problems: Problem[]): void {
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

function checkParticipants(change: TournamentChange, view: View, known: Known, problems: Problem[]): void {
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

function checkStages(change: TournamentChange, view: View, problems: Problem[]): void {
  for (const [index, stage] of (change.parts.stages ?? []).entries()) {
    for (const [place, { participant }] of (stage.members ?? []).entries()) {
      if (view.participants.has(participant)) continue;
      problems.push(expected(`stages[${index}].members[${place}].participant`, somebody, participant));
    }
    if (!stage.grouped || change.parts.participants) continue;
    const members = stage.members?.map(({ participant }) => participant) ?? [...view.participants.keys()];
    for (const alone of members.filter((member) => view.participants.get(member)?.group === null)) {
      const message = `expected every member in a group, found "${alone}" without one`;
      problems.push({ path: `stages[${index}].grouped`, message });
    }
  }
}

const somebody = 'a participant of the tournament';

/** Byes and adjustments name a stage and a participant. */
function checkNamed(
  change: TournamentChange,
  view: View,
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

function checkStage(view: View, stage: string, at: string, problems: Problem[]): void {
  if (view.stages.has(stage)) return;
  const ids = [...view.stages.keys()];
  const wanted = ids.length === 0 ? 'a stage of the tournament, which has none' : `one of ${ids.join(', ')}`;
  problems.push(expected(`${at}stage`, wanted, stage));
}

function checkBattles(change: TournamentChange, view: View, known: Known, problems: Problem[]): void {
  for (const [index, battle] of (change.parts.battles ?? []).entries()) {
    const at = elementPath(change, 'battles', index);
    checkStage(view, battle.stage, at, problems);
    checkKnown(known, 'packs', battle.battlePack, `${at}battlePack`, problems);
    checkSides(battle, view, at, problems);
  }
}

function checkSides(battle: BattleEntry, view: View, at: string, problems: Problem[]): void {
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

function checkMetrics(side: TournamentSide, view: View, at: string, problems: Problem[]): void {
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

function checkMatches(change: TournamentChange, view: View, problems: Problem[]): void {
  for (const [index, match] of (change.parts.matches ?? []).entries()) {
    const at = elementPath(change, 'matches', index);
    checkStage(view, match.stage, at, problems);
    for (const [place, player] of (match.players ?? []).entries()) {
      if (!view.participants.has(player)) problems.push(expected(`${at}players[${place}]`, somebody, player));
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
