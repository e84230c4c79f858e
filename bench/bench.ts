import { parseArgs } from 'node:util';
import { beside } from './beside.ts';
import { endpointSpeed } from './endpoint-speed.ts';
import { benchRows } from './evidence.ts';
import { growth } from './growth.ts';
import { importBeside } from './import.ts';
import type { BenchOptions, Measurement } from './measurement.ts';
import { memory } from './memory.ts';
import { publishers } from './publishers.ts';
import { publishing } from './publishing.ts';
import { rebuild } from './rebuild.ts';
import { site } from './site.ts';
import { spectators } from './spectators.ts';
import { keepEvidence, measuredNow } from '../harness/evidence/evidence.ts';

// npm run bench [-- NAME… --battles N --slices N --database URL --sizes N,N --requests N --phones N,N
//   --endpoint NAME --beside FOLDER [--own-database] --quick | --help]
//
// Compares the server with what it is built on: a bare PostgreSQL driver and a bare HTTP server. Without a
// name it measures the endpoints; columns.ts explains each column. Without --database it starts a throwaway
// PostgreSQL with a world of --battles. `growth` with a million battles needs 12 GB of disk and 25 minutes.
// Figures are not kept with --quick, --endpoint or --beside.
const measurements: Record<string, Measurement> = {
  endpoints: endpointSpeed,
  beside,
  growth,
  import: importBeside,
  memory,
  publishers,
  publishing,
  rebuild,
  site,
  spectators,
};

const { values, positionals } = parseArgs({
  options: {
    battles: { type: 'string' },
    slices: { type: 'string' },
    database: { type: 'string' },
    sizes: { type: 'string', default: '100000,1000000' },
    requests: { type: 'string', default: '1000000' },
    phones: { type: 'string' },
    endpoint: { type: 'string', multiple: true },
    beside: { type: 'string' },
    'own-database': { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
if (values.help) {
  console.log(Object.keys(measurements).join('\n'));
  process.exit();
}
const names = positionals.length > 0 ? positionals : ['endpoints'];
for (const name of names) {
  if (measurements[name] === undefined) {
    throw new Error(`There is no measurement ${name}. They are ${Object.keys(measurements).join(', ')}.`);
  }
}

const options: BenchOptions = {
  battles: Number(values.battles ?? (values.quick ? 1_000 : 20_000)),
  slices: Number(values.slices ?? (values.quick ? 3 : 5)),
  database: values.database,
  sizes: values.sizes.split(',').map(Number),
  requests: Number(values.requests),
  phones: (values.phones ?? (values.quick ? '200' : '3000,10000')).split(',').map(Number),
  endpoints: values.endpoint,
  beside: values.beside,
  ownDatabase: values['own-database'],
  quick: values.quick,
  say: (line) => console.error(line),
};

for (const name of names) {
  const measured = await measurements[name]?.(options);
  if (measured === undefined) continue;
  console.log(`\n${name}\n\n${measured.lines.join('\n')}`);
  if (measured.failures.length > 0) {
    console.log(`\nMissed, so nothing is kept:\n${measured.failures.join('\n')}`);
    process.exitCode = 1;
    continue;
  }
  // A comparison with another checkout means nothing to those who do not have it.
  if (values.quick || values.endpoint !== undefined || values.beside !== undefined) continue;
  const { figures } = measured;
  // Options that differ from the defaults are part of the command that repeats the measurement.
  const flags = process.argv
    .slice(2)
    .flatMap((each) => (positionals.includes(each) ? [] : ` ${each}`))
    .join('');
  keepEvidence('bench', {
    [name]: { ...measuredNow(), flags, rows: benchRows(name, figures), ...figures },
  });
}
