import { Command, InvalidArgumentError } from 'commander';
import { giveEverything, giveThing } from '../record/sources/give.ts';
import { addSource, noteFailure } from '../record/sources/health.ts';
import { expectSource, listSources } from '../record/sources/list.ts';
import { ownedKinds, type OwnedKind } from '../record/sources/ownership.ts';
import { CannotRun, Refused } from '../failures/explain.ts';
import { addExamples } from './help/examples.ts';
import { sourceArgument, unknownSource } from './options/source.ts';
import { printJson, printTable } from './table.ts';
import { withPool } from './with-pool.ts';

export const sourcesCommand = new Command('sources')
  .description(
    'list the sources of feeds and how each is doing, or hand things over; docs/sources.md explains it',
  )
  .option('--json', 'print a JSON array')
  .action(async ({ json }: { json?: true }) => {
    const sources = await withPool(listSources);
    if (json) return printJson(sources);
    printTable(
      ['source', 'last sent', 'accepted', 'refused', 'expected', 'last refusal'],
      sources.map((source) => [
        source.name,
        source.lastSentAt?.toISOString().slice(0, 16) ?? 'never',
        String(source.accepted),
        String(source.refused),
        source.expectedSeconds === null
          ? '-'
          : `${inWords(source.expectedSeconds)}${source.isLate ? ', late' : ''}`,
        source.isRefusing ? (source.lastRefusal ?? '-') : '-',
      ]),
    );
  });

sourcesCommand
  .command('expect')
  .description('set how long a source may be silent before an alert fires')
  .argument('<source>', 'the source', sourceArgument)
  .argument('<duration>', 'for example 90m, 26h or 8d; `none` if silence is normal', duration)
  .action(async (source: string, seconds: number | typeof none) => {
    await withPool(async (pool) => {
      if (!(await expectSource(pool, source, seconds === none ? null : seconds))) throw unknownSource(source);
    });
    console.log(
      seconds === none
        ? `Source ${source} may be silent for any length of time.`
        : `Source ${source} is expected to send something every ${inWords(seconds)}.`,
    );
  });

type Given = { [Kind in OwnedKind]?: string } & { everythingOf?: string };

const give = sourcesCommand
  .command('give')
  .description('hand a thing over to a source, or everything that another source owns')
  .argument('<source>', 'the new owner', sourceArgument)
  .action(async (to: string, { everythingOf, ...things }: Given) => {
    const chosen = Object.entries(things) as [OwnedKind, string][];
    if (chosen.length + (everythingOf === undefined ? 0 : 1) !== 1)
      throw new CannotRun('Give one thing, or --everything-of and a source.');
    await withPool(async (pool) => {
      if (everythingOf !== undefined) {
        const count = await giveEverything(pool, everythingOf, to);
        if (count === undefined) throw unknownSource(everythingOf);
        const belong = count === 1 ? 'thing belongs' : 'things belong';
        return console.log(`${count} ${belong} to ${to} now, and no longer to ${everythingOf}.`);
      }
      for (const [kind, key] of chosen) {
        const { noun } = ownedKinds[kind];
        const before = await giveThing(pool, to, kind, key);
        if (before === undefined) throw new Refused(`There is no ${noun} ${key}.`);
        console.log(
          `The ${noun} ${key} belongs to ${to}${before === to ? ' already' : ` now, and no longer to ${before}`}.`,
        );
      }
    });
  });
for (const { option, key, noun } of Object.values(ownedKinds)) give.option(`${option} <${key}>`, `a ${noun}`);
give.option('--everything-of <source>', 'whatever this source owns', sourceArgument);

sourcesCommand
  .command('report')
  .description('record that what a source sent cannot be imported; the reason is read from standard input')
  .argument('<source>', 'the source', sourceArgument)
  .action(async (source: string) => {
    let reason = '';
    for await (const chunk of process.stdin) if (reason.length < 10_000) reason += String(chunk);
    const [first = ''] = reason.trim().split('\n', 1);
    await withPool(async (pool) => {
      const client = await pool.connect();
      try {
        await addSource(client, source);
        await noteFailure(client, source, first || 'no reason was given');
      } finally {
        client.release();
      }
    });
  });

addExamples(sourcesCommand, [
  'List the sources, say how often one should send, and hand things over',
  'wartable sources',
  'wartable sources expect main 26h',
  'wartable sources give sheet-cup --everything-of main',
]);

const none = Symbol('none');
const units = { m: 60, h: 3_600, d: 86_400 } as const;

function duration(given: string): number | typeof none {
  if (given === 'none') return none;
  const [, number, unit] = /^([1-9]\d{0,3})([mhd])$/.exec(given) ?? [];
  if (number === undefined)
    throw new InvalidArgumentError('It must be a length of time like 90m, 26h or 8d, or `none`.');
  return Number(number) * units[unit as keyof typeof units];
}

function inWords(seconds: number): string {
  for (const [unit, length] of Object.entries(units).toReversed())
    if (seconds >= 2 * length && seconds % length === 0) return `${seconds / length}${unit}`;
  return `${Math.round(seconds / 60)}m`;
}
