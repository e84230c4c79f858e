// Derives how far a stage has been played, for the head of a page and for the list of rounds.
import type { StageFacts, TournamentOutline } from '../../../record/facts/facts.ts';
import { compareText } from '../../../text/fold.ts';
import { isKnown } from '../brackets/bracket.ts';
import { type People, participantView } from './battle-view.ts';
import { leader } from './leader.ts';
import type { AfterRounds } from './rounds.ts';
import type { Bye, RowView, StageKind, StageView } from '../../../published/views.ts';

export function stageView(
  { battles, byes, matches }: TournamentOutline,
  stage: StageFacts,
  people: People,
): StageView {
  const isOwn = (each: { stage: string | null }): boolean => each.stage === stage.id;
  const own = byes.filter(isOwn);
  const known = stage.type === 'bracket' ? matches.filter((match) => isOwn(match) && isKnown(match)) : own;
  const begun = [...battles.filter(isOwn), ...known].reduce(
    (last, { round }) => Math.max(last, round ?? 0),
    0,
  );
  return {
    id: stage.id,
    ...stageKindOf(stage.label),
    begun,
    byes: own
      .toSorted((a, b) => a.round - b.round || compareText(a.participant, b.participant))
      .map(({ round, participant }): Bye => {
        const group = stage.grouped ? people.get(participant)?.group : undefined;
        return { round, ...participantView(people.get(participant), participant), ...(group && { group }) };
      }),
  };
}

/** Returns nothing before the first complete round. `rows` are those of the board. */
export function completeRounds(
  { complete }: AfterRounds,
  rows: readonly RowView[],
): Pick<StageView, 'complete'> {
  if (complete.length === 0) return {};
  const byEntry = new Map(rows.map((row) => [row.entry, row]));
  return {
    complete: complete.map(({ leaders, ...each }) => ({
      ...each,
      leaders: leaders.flatMap(({ id, ...record }) => {
        const row = byEntry.get(id);
        return row ? [leader({ ...row, ...record })] : [];
      }),
    })),
  };
}

/** Recognizes our own names for stages, which feeds use, too. */
export function stageKindOf(label: string): { kind?: StageKind } {
  const named = ourNames.find((name) => name === label);
  if (named !== undefined) return { kind: { named } };
  const numbers = label
    .slice(label.indexOf(' ') + 1)
    .split('–')
    .map(Number);
  const [first = 0, last] = numbers;
  if (!numbers.every((number) => Number.isSafeInteger(number) && number > 0)) return {};
  if (label === `Top ${first}`) return { kind: { top: first } };
  if (label === `Place ${first}` || label === `Places ${first}`) return { kind: { first } };
  return last !== undefined && label === `Places ${first}–${last}` ? { kind: { first, last } } : {};
}

const ourNames = ['Final Standings', 'Group Stage', 'Swiss Stage', 'Placement Swiss'] as const;
