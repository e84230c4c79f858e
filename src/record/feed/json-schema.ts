// The shape of each kind of line, and the JSON Schema of the whole feed.
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { explain } from './explain.ts';
import {
  ByeRecord,
  CasualBattleRecord,
  MatchRecord,
  ParticipantRecord,
  RankingRecord,
  TournamentBattleRecord,
} from './tournament-records.ts';
import {
  BattlePackRecord,
  ClubRecord,
  EndRecord,
  MovedRecord,
  PlayerRecord,
  RemoveByeRecord,
  RemoveMatchRecord,
  RemoveParticipantRecord,
  RemoveRankingRecord,
  RemoveThingRecord,
  TournamentRecord,
} from './records.ts';
import { expected, type Problem } from './problem.ts';

/** The shapes by their names in the schema. */
export const shapes = {
  club: ClubRecord,
  player: PlayerRecord,
  battlePack: BattlePackRecord,
  tournament: TournamentRecord,
  participant: ParticipantRecord,
  battle: TournamentBattleRecord,
  casualBattle: CasualBattleRecord,
  bye: ByeRecord,
  match: MatchRecord,
  ranking: RankingRecord,
  removeThing: RemoveThingRecord,
  removeParticipant: RemoveParticipantRecord,
  removeBye: RemoveByeRecord,
  removeMatch: RemoveMatchRecord,
  removeRanking: RemoveRankingRecord,
  moved: MovedRecord,
  end: EndRecord,
};

/**
 * Returns the schema, in which `kind` and `of` choose a shape. A union would report the problems with all
 * shapes.
 */
export function feedSchema(): object {
  const kind = { type: 'string', enum: [...kinds.keys(), 'remove'] };
  const of = { type: 'string', enum: [...removals.keys()] };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'One line of the Wartable feed',
    type: 'object',
    required: ['kind'],
    properties: { kind },
    allOf: [
      when({ kind: { const: 'remove' } }, { required: ['of'], properties: { of } }),
      ...Object.entries(shapes).map(([name, shape]) =>
        when(choiceOf(name, shape), { $ref: `#/$defs/${name}` }),
      ),
    ],
    $defs: shapes,
  };
}

function choiceOf(name: string, { properties }: { properties: Record<string, unknown> }) {
  const { kind, of } = properties;
  // Both have the kind `battle`, but only a record for a tournament names one.
  if (name === 'battle') return { kind, tournament: true };
  if (name === 'casualBattle') return { kind, tournament: false };
  // `of` chooses the shape only among removals.
  return name.startsWith('remove') ? { kind, of } : { kind };
}

/** If the members are as given, the shape must fit. `false` stands for a member that must be absent. */
function when(members: Record<string, unknown>, shape: object): object {
  const required = Object.keys(members).filter((name) => members[name] !== false);
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  return { if: { type: 'object', required, properties: members }, then: shape };
}

/** Returns the problems with the shape of a value. */
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

const kinds = new Map<unknown, (value: unknown) => Problem[]>(
  Object.entries(shapes)
    .filter(([name]) => name !== 'casualBattle' && !name.startsWith('remove'))
    .map(([kind, shape]) => [kind, shapeCheck(shape)]),
);

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
  ['ranking', shapeCheck(RemoveRankingRecord)],
]);

function shapeCheck(schema: TSchema): (value: unknown) => Problem[] {
  const compiled = Compile(schema);
  return (value) => (compiled.Check(value) ? [] : explain(schema, value));
}
