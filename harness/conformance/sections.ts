/** The sections of the specification, in its order. */
export const sections = [
  'Rules of the service',
  'Tournament',
  'Stage',
  'Board row',
  'Bracket match',
  'Participant',
  'ArmyList',
  'Club',
  'Battle',
  'BattlePlayer',
  'PlayerRound',
  'States',
  'Endpoints',
  'Pagination',
  'List tournaments',
  'Get one tournament',
  'Tournament standings',
  'Tournament participants',
  'Tournament battles',
  'Get one club',
  'Club tournaments',
  'Club battles',
  'Player battles',
  'Get one battle',
  'Authentication',
  'Errors',
  'Limits',
  'Versioning',
] as const;
export type Section = (typeof sections)[number];

/** One statement of the specification, its section, and whether the service keeps to it. */
export interface Rule {
  section: Section;
  statement: string;
  kept: boolean;
}

/** Returns the results in the form of docs/evidence/conformance.json. */
export function keptByStatement(rules: Rule[]): Record<string, boolean> {
  return Object.fromEntries(rules.map(({ statement, kept }) => [statement, kept]));
}
