import { shapes } from '../src/record/feed/json-schema.ts';
import * as parts from '../src/record/feed/tournament-records.ts';

interface Shape {
  properties: Record<string, object>;
  required?: string[] | undefined;
}

/** The lines of the list, with notes that contain what a shape cannot express. test/record tests the notes. */
export const listedRecords: [what: string, shape: Shape, notes?: Record<string, string>][] = [
  ['`club`', shapes.club, { name: '¹' }],
  ['`player`', shapes.player, { name: '¹' }],
  ['`battlePack`', shapes.battlePack],
  ['`tournament`', shapes.tournament, { name: '¹', status: '¹', battleSize: '¹', published: '¹' }],
  ['a metric of a tournament', parts.MetricEntry],
  ['a stage', parts.StageEntry, { label: '²' }],
  ['a member of a stage', elementOf(parts.StageEntry, 'members')],
  ['a participant', parts.ParticipantEntry, { player: '³', name: '³', erased: '³' }],
  ['a list', parts.ArmyListEntry, { faction: '⁴', points: '⁴', battleTacticCards: '⁴', text: '⁴' }],
  ['a bye', parts.ByeEntry],
  ['an adjustment', parts.AdjustmentEntry],
  ['a battle of a tournament', parts.BattleEntry],
  ['a side of it', parts.TournamentSide],
  ['a round of a side', parts.RoundEntry],
  ['a match', parts.MatchEntry],
  ['a ranking', parts.RankingEntry],
  ['a rank', elementOf(parts.RankingEntry, 'ranks')],
  ['a casual `battle`', shapes.casualBattle],
  ['a side of it', parts.CasualSide, { player: '³', name: '³', erased: '³' }],
];

/** Returns docs/feed.md with the list of all members that records may have. */
export function feedPage(page: string): string {
  const [before, after, ...more] = page.split(/(?<=^### Members\n\n[^\n]*\n\n)(?:^(?:-|  ) ?.*\n)+/m);
  if (after === undefined || more.length > 0)
    throw new Error('docs/feed.md has lost the list below "Members".');
  return `${before}${listedRecords.map(lineOf).join('')}${after}`;
}

function lineOf([what, shape, notes = {}]: (typeof listedRecords)[number]): string {
  const named = (names: readonly string[]) =>
    names.map((name) => `\`${name}\`${notes[name] ?? ''}`).join(', ');
  const isCasual = shape === parts.CasualSide;
  const common = new Set(optional(parts.TournamentSide));
  const members = [
    shape.required?.length ? `**${named(shape.required)}**` : '',
    named(optional(shape).filter((name) => !isCasual || !common.has(name))),
    isCasual ? 'and the optional members of a side above' : '',
  ];
  return wrapped(`- ${what}: ${members.filter((text) => text !== '').join(', ')}`);
}

const optional = ({ properties, required }: Shape) =>
  Object.keys(properties).filter((name) => required?.includes(name) !== true);

/** Breaks a line where oxfmt does. */
function wrapped(text: string): string {
  return (
    text.split(' ').reduce((lines, word) => {
      const column = lines.length - lines.lastIndexOf('\n') - 1;
      return `${lines}${column + 1 + word.length > 110 ? '\n ' : ''}${lines === '' ? '' : ' '}${word}`;
    }, '') + '\n'
  );
}

function elementOf({ properties }: Shape, name: string): Shape {
  return (properties[name] as { items: Shape }).items;
}
