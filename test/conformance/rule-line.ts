/** One statement of the specification, by the section it stands in, and whether the service keeps to it. */
export interface Rule {
  section: string;
  statement: string;
  kept: boolean;
}

/** As docs/conformance.md lists it. */
export function lineOf({ statement, kept }: Rule): string {
  return `- [${kept ? 'x' : ' '}] ${statement}`;
}
