import type { RoundNow, StageView } from '../../published/views.ts';
import type { Words } from '../words/en.ts';

type Group = Pick<RoundNow, 'group' | 'round' | 'results' | 'isOver'>;
type Played = Pick<StageView, 'byes' | 'complete'>;

/**
 * Says which results a board counts: `After round 2`, or `Provisional: round 3 in progress`. `now` has the
 * rounds that its groups are in. Returns an empty text if there is nothing to say that is true of all of them.
 */
export function boardProgress(words: Words, now: readonly Group[], played: Played): string {
  const [first = '', another] = new Set(now.map((group) => progressOfGroup(words, group, played)));
  if (another === undefined) return first;
  // Not all groups have a result of the round yet, or some have finished it.
  const [round = 0, otherRound] = new Set(now.map((group) => group.round));
  const isInProgress = now.some((group) => isProvisional(group, played));
  return isInProgress && otherRound === undefined ? words.rounds.provisional(round) : '';
}

function progressOfGroup({ rounds: t }: Words, group: Group, played: Played): string {
  if (isProvisional(group, played)) return t.provisional(group.round);
  const last = lastComplete(group, played);
  // Results count although one of an earlier round is still missing. And the rows count a bye as soon as it is
  // known, even if nothing else of its round is.
  const isPastLast =
    (group.results > 0 && group.round > last) ||
    played.byes.some((bye) => isOf(group, bye) && bye.round > last);
  return last === 0 || isPastLast ? '' : t.after(last);
}

/** A round that the organiser has ranked is complete, even if one of its results is missing. */
const isProvisional = (group: Group, played: Played): boolean =>
  !group.isOver && group.round > lastComplete(group, played) && hasBegun(group, played);

const lastComplete = (group: Group, { complete = [] }: Played): number =>
  complete.find((each) => isOf(group, each))?.round ?? 0;

const hasBegun = (group: Group, { byes }: Played): boolean =>
  group.results > 0 || byes.some((bye) => isOf(group, bye) && bye.round === group.round);

const isOf = ({ group = '' }: Pick<Group, 'group'>, each: { group?: string }): boolean =>
  (each.group ?? '') === group;
