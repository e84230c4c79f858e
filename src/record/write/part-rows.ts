// Makes the rows of a tournament's parts from its changes.
import type { TournamentPart, TournamentRow } from '../tables.ts';
import { battleRow } from './battle-rows.ts';
import { adjustmentRow, byeRow, listRow, matchRow, participantRow, stageRow } from './rows.ts';
import type { TournamentChange } from './tournament-change.ts';

/** For each part: the rows to write, and the tournaments where these rows replace all stored ones. */
export interface PartRows {
  rows: { [Part in TournamentPart]: TournamentRow<Part>[] };
  replaced: Record<TournamentPart, number[]>;
  /** Participants without a list: delete the stored one, if there is one. */
  withoutList: { tournament_id: number; participant: string }[];
}

export function rowsOf(accepted: { change: TournamentChange }[], ids: Map<string, number>): PartRows {
  const all: PartRows = { rows: emptyParts(), replaced: emptyParts(), withoutList: [] };
  for (const { change } of accepted) addRows(all, change, ids.get(change.slug) ?? 0);
  return all;
}

const emptyParts = (): Record<TournamentPart, never[]> => ({
  organizers: [],
  groups: [],
  participants: [],
  lists: [],
  stages: [],
  members: [],
  byes: [],
  adjustments: [],
  battles: [],
  matches: [],
});

function addRows(
  { rows, replaced, withoutList }: PartRows,
  { slug, whole, parts }: TournamentChange,
  id: number,
): void {
  const replace = (...changed: TournamentPart[]): void => {
    if (whole) for (const part of changed) replaced[part].push(id);
  };
  if (whole?.tournamentOrganizers) {
    replace('organizers');
    for (const player of whole.tournamentOrganizers) rows.organizers.push({ tournament_id: id, player });
  }
  if (parts.groups) {
    replace('groups');
    for (const [position, name] of parts.groups.entries()) {
      rows.groups.push({ tournament_id: id, name, position });
    }
  }
  if (parts.participants) {
    replace('participants', 'lists');
    for (const entry of parts.participants) {
      rows.participants.push(participantRow(id, slug, entry));
      if (entry.list) rows.lists.push(listRow(id, entry.id, entry.list));
      else if (!whole) withoutList.push({ tournament_id: id, participant: entry.id });
    }
  }
  if (parts.stages) {
    replace('stages', 'members');
    for (const [position, entry] of parts.stages.entries()) {
      rows.stages.push(stageRow(id, position, entry));
      for (const { participant, seed } of entry.members ?? []) {
        rows.members.push({ tournament_id: id, stage: entry.id, participant, seed: seed ?? null });
      }
    }
  }
  if (parts.byes) {
    replace('byes');
    for (const entry of parts.byes) rows.byes.push(byeRow(id, entry));
  }
  if (parts.adjustments) {
    replace('adjustments');
    for (const [position, entry] of parts.adjustments.entries()) {
      rows.adjustments.push(adjustmentRow(id, position, entry));
    }
  }
  if (parts.battles) {
    replace('battles');
    for (const entry of parts.battles) rows.battles.push(battleRow(id, entry));
  }
  if (parts.matches) {
    replace('matches');
    for (const entry of parts.matches) rows.matches.push(matchRow(id, entry));
  }
}
