// What the pages show of a stage and the standings answer lacks: how far the play is, byes, and how the matches of a bracket
// are connected. It stands beside the answer as JSON, and no answer of the API shows it.
import type { MatchFacts, Person, StageFacts, TournamentOutline } from '../../../record/facts/facts.ts';
import { compareText } from '../../../text/fold.ts';
import { isKnown } from '../brackets/bracket.ts';
import { nextMatches } from '../brackets/bracket-links.ts';
import type { Ranked } from '../boards/board.ts';
import { factionRecords } from '../factions/faction.ts';
import { hasRecordedPlacements } from '../boards/final-standings.ts';
import type { Bye, Play, StageNow } from './play-shape.ts';
import { shownName, shownPlayerId } from '../documents/people.ts';
import { defaultStage } from '../documents/stages.ts';

/** `stage` is undefined for the merged final table, `now` when the event does not run. `ranked` are the rows of a board, `factions` those of `rowFactions`. */
export function playOf(
  facts: TournamentOutline,
  stage: StageFacts | undefined,
  people: ReadonlyMap<string, Person>,
  now?: StageNow,
  ranked: readonly Ranked[] = [],
  factions: ReadonlyMap<string, string> = new Map(),
): string {
  const isDefault = (stage?.id ?? 'standings') === defaultStage(facts);
  const play: Play = {
    ...(stage
      ? playOfStage(facts, stage, people)
      : { begun: 0, byes: [], isRecorded: hasRecordedPlacements(facts) }),
    ...(stage?.type !== 'bracket' && { tieBreaks: facts.tieBreaks }),
    ...(isDefault && { factions: factionRecords(facts, factions) }),
  };
  if (now === undefined) return JSON.stringify(play);
  const dropped = ranked.flatMap(({ participant }, row) => (participant.dropped ? [row] : []));
  return JSON.stringify({ ...play, ...now, dropped } satisfies Play);
}

/** In the order of `Play.byes`. */
export function byesOf(
  { byes }: Pick<TournamentOutline, 'byes'>,
  stage: StageFacts,
  people: ReadonlyMap<string, Person>,
): { round: number; participant: string; person: Person }[] {
  return byes
    .filter((bye) => bye.stage === stage.id)
    .toSorted((a, b) => a.round - b.round || compareText(a.participant, b.participant))
    .flatMap(({ round, participant }) => {
      const person = people.get(participant);
      return person ? [{ round, participant, person }] : [];
    });
}

function playOfStage(facts: TournamentOutline, stage: StageFacts, people: ReadonlyMap<string, Person>): Play {
  const isOwn = (each: { stage: string | null }): boolean => each.stage === stage.id;
  const own = byesOf(facts, stage, people);
  const groups = new Map(stage.grouped ? facts.participants.map(({ id, group }) => [id, group]) : []);
  const byes = own.map(({ round, participant, person }): Bye => {
    const group = groups.get(participant) ?? undefined;
    return {
      round,
      player: shownName(person),
      playerId: shownPlayerId(person),
      ...(group !== undefined && { group }),
    };
  });
  const matches = facts.matches
    .filter(isOwn)
    .toSorted((a, b) => a.round - b.round || a.position - b.position);
  const isBracket = stage.type === 'bracket';
  let begun = 0;
  const begin = (round: number | null): void => void (begun = Math.max(begun, round ?? 0));
  for (const battle of facts.battles) if (isOwn(battle)) begin(battle.round);
  for (const { round } of isBracket ? matches.filter(isKnown) : own) begin(round);
  return { begun, byes, ...(isBracket && { matches: linked(stage, matches, people) }) };
}

function linked(
  stage: StageFacts,
  matches: MatchFacts[],
  people: ReadonlyMap<string, Person>,
): NonNullable<Play['matches']> {
  const links = nextMatches(stage, matches);
  const seeds = new Map(stage.members.map(({ participant, seed }) => [participant, seed]));
  const areSeeded = stage.members.some(({ seed }) => seed !== null);
  const idOf = (participant: string): string | null => {
    const person = people.get(participant);
    return person ? shownPlayerId(person) : null;
  };
  return matches.map((match) => {
    const next = links.get(match);
    const players = match.players.length === 2 ? match.players : [];
    return {
      round: match.round,
      position: match.position,
      next: next ? [next.round, next.position] : null,
      playerIds: players.map(idOf),
      ...(areSeeded && { seeds: players.map((player) => seeds.get(player) ?? null) }),
    };
  });
}
