// The shape of each kind of line, and the JSON Schema of the whole feed.
import { Type, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { explain } from './explain.ts';
import {
  ByeRecord,
  CasualBattleRecord,
  MatchRecord,
  ParticipantRecord,
  TournamentBattleRecord,
} from './tournament-records.ts';
import {
  BattlePackRecord,
  ClubRecord,
  PlayerRecord,
  RemoveByeRecord,
  RemoveMatchRecord,
  RemoveParticipantRecord,
  RemoveThingRecord,
  TournamentRecord,
} from './records.ts';
import { expected, type Problem } from './problem.ts';

export const feedSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'One line of the Wartable feed',
  ...Type.Union([
    ClubRecord,
    PlayerRecord,
    BattlePackRecord,
    TournamentRecord,
    ParticipantRecord,
    TournamentBattleRecord,
    CasualBattleRecord,
    ByeRecord,
    MatchRecord,
    RemoveThingRecord,
    RemoveParticipantRecord,
    RemoveByeRecord,
    RemoveMatchRecord,
  ]),
};

/** The problems with the shape of a value. */
export function shapeProblems(value: unknown): Problem[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [expected('', 'an object with a kind', value)];
  }
  const { kind, of } = value as { kind?: unknown; of?: unknown };
  if (kind === 'remove') {
    const shape = removals.get(of);
    if (!shape) return [expected('of', `one of ${[...removals.keys()].join(', ')}`, of)];
    return shape(value);
  }
  const shape = kind === 'battle' && !Object.hasOwn(value, 'tournament') ? casualBattle : kinds.get(kind);
  if (!shape) return [expected('kind', `one of ${[...kinds.keys()].join(', ')}, remove`, kind)];
  return shape(value);
}

const casualBattle = shapeCheck(CasualBattleRecord);

const kinds = new Map<unknown, (value: unknown) => Problem[]>([
  ['club', shapeCheck(ClubRecord)],
  ['player', shapeCheck(PlayerRecord)],
  ['battlePack', shapeCheck(BattlePackRecord)],
  ['tournament', shapeCheck(TournamentRecord)],
  ['participant', shapeCheck(ParticipantRecord)],
  ['battle', shapeCheck(TournamentBattleRecord)],
  ['bye', shapeCheck(ByeRecord)],
  ['match', shapeCheck(MatchRecord)],
]);

const removeThing = shapeCheck(RemoveThingRecord);
const removals = new Map<unknown, (value: unknown) => Problem[]>([
  ['club', removeThing],
  ['player', removeThing],
  ['battlePack', removeThing],
  ['tournament', removeThing],
  ['participant', shapeCheck(RemoveParticipantRecord)],
  ['battle', removeThing],
  ['bye', shapeCheck(RemoveByeRecord)],
  ['match', shapeCheck(RemoveMatchRecord)],
]);

function shapeCheck(schema: TSchema): (value: unknown) => Problem[] {
  const compiled = Compile(schema);
  return (value) => (compiled.Check(value) ? [] : explain(schema, value));
}
