import { judge } from './bars.ts';
import { measureColumns } from './columns.ts';
import { endpointNamed, endpoints } from './endpoints.ts';
import { machineLine, machineOf } from '../scripts/machine.ts';
import type { Measurement } from './measurement.ts';
import { columnTables } from './table.ts';
import { withWorld, sizesLine } from './world.ts';

/**
 * Compares every endpoint with a bare driver and with a bare HTTP server. The quick run measures one list
 * page.
 */
export const endpointSpeed: Measurement = (options) =>
  withWorld(options, async (world) => {
    const { quick, say } = options;
    // There are many short slices because the speed of a shared machine changes by half from one second to
    // the next.
    const slices = quick ? options.slices : 3 * options.slices;
    const chosen = options.endpoints ?? (quick ? ['player battles'] : undefined);
    const machine = await machineOf(world.pool);
    const measured = await measureColumns(world, {
      endpoints: chosen?.map(endpointNamed) ?? endpoints,
      slices,
      seconds: quick ? 0.5 : 1 / 3,
      warmUpSeconds: quick ? 0.5 : 10,
      ...(quick ? { enoughMs: 12_000 } : {}),
      onProgress: say,
    });
    const { ratios, lines, failures } = judge(measured, quick);
    const setting = [machineLine(machine), sizesLine(world.sizes), `${slices} slices of each column`];
    return {
      lines: [...setting, '', ...columnTables(measured), '', ...lines],
      failures,
      figures: { machine, world: world.sizes, slices, endpoints: measured, ratios },
    };
  });
