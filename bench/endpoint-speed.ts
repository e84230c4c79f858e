import { judge } from './bars.ts';
import { chart } from './chart.ts';
import { measureColumns } from './columns.ts';
import { endpointNamed, endpoints } from './endpoints.ts';
import { machineLine, machineOf } from '../scripts/machine.ts';
import type { Measurement } from './measurement.ts';
import { columnTables } from './table.ts';
import { withWorld, sizesLine } from './world.ts';

/** Every endpoint against PostgreSQL bare and against a bare HTTP server. The quick run measures one list page. */
export const endpointSpeed: Measurement = (options) =>
  withWorld(options, async (world) => {
    const { quick, slices, say } = options;
    const chosen = options.endpoints ?? (quick ? ['player battles'] : undefined);
    const machine = await machineOf(world.pool);
    const measured = await measureColumns(world, {
      endpoints: chosen?.map(endpointNamed) ?? endpoints,
      slices,
      seconds: quick ? 0.5 : 1,
      ...(quick ? { enoughMs: 12_000 } : {}),
      quick,
      onProgress: say,
    });
    const { lines, failures } = judge(measured.endpoints, quick);
    const pgbench = measured.hasPgbench ? 'pgbench for pg' : 'no pgbench on this machine: pg is not measured';
    const setting = [
      machineLine(machine),
      sizesLine(world.sizes),
      `Load from ${measured.generator}; ${pgbench}; ${slices} slices of each column`,
    ];
    return {
      lines: [...setting, '', ...columnTables(measured.endpoints), '', ...lines],
      failures,
      figures: { machine, world: world.sizes, slices, ...measured, bars: lines },
      picture: chart(measured.endpoints, `${machineLine(machine)}; ${world.sizes.battles} battles`),
    };
  });
