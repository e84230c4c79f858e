// Which round of a stage is played now, as a person at the venue sees it. A forgotten result must not hold the event up on the
// page, and a pairing that is told early must not hide the games that are still open.
import type { BattleOutline, MatchFacts, StageFacts, TournamentOutline } from '../../record/facts/facts.ts';
import { isKnown, matchesOf, roundNames } from './bracket.ts';
import type { CurrentRound, StageNow } from './play-shape.ts';

export function stageNow(facts: TournamentOutline, stage: StageFacts): StageNow {
  const isPast = facts.stages.some(({ id, phase }) => phase > stage.phase && hasResult(facts, id));
  const hasLater = facts.stages.some(({ id, phase }) => phase > stage.phase && hasBegun(facts, id));
  const { now, missing } =
    stage.type === 'bracket'
      ? { now: bracketRound(facts, stage), missing: [] }
      : boardRounds(facts, stage, isPast);
  // The phase that was begun last stays in sight when it is over. One before it does only while it is not over.
  const isShown = !isPast && (!hasLater || now.some(({ isOver, open = [] }) => !isOver || open.length > 0));
  return { now: isShown ? now : [], missing };
}

const hasBegun = ({ battles, matches }: TournamentOutline, stage: string): boolean =>
  battles.some((battle) => battle.stage === stage) ||
  matches.some((match) => match.stage === stage && isKnown(match));

const hasResult = ({ battles, matches }: TournamentOutline, stage: string): boolean =>
  battles.some((battle) => battle.stage === stage && battle.finished) ||
  matches.some((match) => match.stage === stage && match.winner !== null);

/** The lowest round with an open match. Without one, the last that has a result. */
function bracketRound(facts: TournamentOutline, stage: StageFacts): CurrentRound[] {
  const matches = matchesOf(facts, stage);
  const finished = new Map(facts.battles.map(({ id, finished: isOver }) => [id, isOver]));
  // A drawn game, for example: it is played, and the organiser has not said yet who goes on.
  const isUndecided = ({ winner, battle }: MatchFacts) =>
    winner === null && finished.get(battle ?? '') === true;
  const isPlayed = (match: MatchFacts) => match.winner !== null || isUndecided(match);
  const open = matches.filter((match) => match.players.length === 2 && !isPlayed(match));
  const over = matches.filter(isPlayed);
  const [round] = open.length > 0 ? roundsOf(open) : roundsOf(over).toReversed();
  if (round === undefined) return [];
  const own = matches.filter((match) => match.round === round);
  const played = own.filter(isPlayed);
  const names = [...new Set(own.map(roundNames(stage, matches)))];
  return [
    {
      round,
      names,
      games: own.length,
      results: played.length,
      isOver: played.length === own.length,
      open: open.flatMap(({ battle }) => battle ?? []),
      done: matches
        .filter((match) => played.includes(match) || isUndecided(match))
        .flatMap(({ battle }) => battle ?? []),
    },
  ];
}

function boardRounds(facts: TournamentOutline, stage: StageFacts, isPast: boolean): StageNow {
  // The facts come in any order.
  const battles = facts.battles
    .filter((battle) => battle.stage === stage.id)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const people = new Map(facts.participants.map((participant) => [participant.id, participant]));
  const playersOf = ({ sides }: BattleOutline) => sides.map(({ participant }) => participant ?? '');
  const lastResult = new Map<string, number>();
  for (const battle of battles) {
    if (!battle.finished) continue;
    for (const player of playersOf(battle)) {
      lastResult.set(player, Math.max(lastResult.get(player) ?? 0, roundOf(battle)));
    }
  }
  const isOvertaken = (battle: BattleOutline): boolean => {
    const players = playersOf(battle);
    const playedOn = players.filter((player) => (lastResult.get(player) ?? 0) > roundOf(battle));
    if (isPast || playedOn.length === players.length) return true;
    // A schedule that is paired in advance is not played in the order of its rounds.
    return !stage.grouped && (playedOn.length > 0 || players.every((player) => people.get(player)?.dropped));
  };
  const unplayed = battles.filter(({ finished }) => !finished);
  const missing = new Set(unplayed.filter(isOvertaken));
  const groupOf = (battle: BattleOutline) => people.get(playersOf(battle)[0] ?? '')?.group ?? '';
  const groups = stage.grouped ? Map.groupBy(battles, groupOf) : new Map([['', battles]]);
  const order = (group: string) => facts.groups.indexOf(group);
  const now = [...groups]
    .toSorted(([a], [b]) => order(a) - order(b))
    .flatMap(([group, own]): CurrentRound[] => {
      const open = own.filter((battle) => !battle.finished && !missing.has(battle));
      const round = stage.grouped ? roundOfGroup(own, open) : roundOfField(own, open);
      if (round === undefined) return [];
      const games = own.filter((battle) => roundOf(battle) === round);
      const done = games.filter(({ finished }) => finished);
      return [
        {
          ...(stage.grouped && { group }),
          round,
          games: games.length,
          results: done.length,
          // Where all have dropped before they played, nothing is over.
          isOver: done.length > 0 && !open.some((battle) => roundOf(battle) === round),
          done: done.map(({ id }) => id),
          open: open.filter((battle) => roundOf(battle) <= round).map(({ id }) => id),
        },
      ];
    });
  return { now, missing: [...missing].map(({ id }) => id) };
}

/** The highest round with a result, until all its games have one. Then the next that is paired. */
function roundOfField(battles: readonly BattleOutline[], open: readonly BattleOutline[]): number | undefined {
  const paired = roundsOf(battles);
  const highest = roundsOf(battles.filter(({ finished }) => finished)).at(-1);
  if (highest === undefined) return roundsOf(open)[0] ?? paired[0];
  if (open.some((battle) => roundOf(battle) === highest)) return highest;
  const isNext = (round: number) => round > highest;
  return roundsOf(open).find(isNext) ?? paired.find(isNext) ?? highest;
}

function roundOfGroup(battles: readonly BattleOutline[], open: readonly BattleOutline[]): number | undefined {
  return roundsOf(open)[0] ?? roundsOf(battles).at(-1);
}

function roundsOf(games: readonly { round: number | null }[]): number[] {
  return [...new Set(games.map(roundOf))].toSorted((a, b) => a - b);
}

const roundOf = ({ round }: { round: number | null }): number => round ?? 0;
