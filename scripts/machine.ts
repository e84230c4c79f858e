import { cpus, totalmem } from 'node:os';
import type { Pool } from '../src/database/pool.ts';

export interface Machine {
  cpu: string;
  cores: number;
  memoryGb: number;
  node: string;
  postgres: string;
}

export async function machineOf(pool: Pool): Promise<Machine> {
  const { rows } = await pool.query<{ version: string }>(
    `select current_setting('server_version') || ', shared_buffers ' || current_setting('shared_buffers')
      || ', fsync ' || current_setting('fsync') as version`,
  );
  const processors = cpus();
  return {
    cpu: processors[0]?.model ?? 'unknown',
    cores: processors.length,
    memoryGb: Math.round(totalmem() / 1e9),
    node: process.version,
    postgres: rows[0]?.version ?? 'unknown',
  };
}

export function machineLine({ cpu, cores, memoryGb, node, postgres }: Machine): string {
  return `${cores} cores (${cpu}), ${memoryGb} GB; Node ${node}; PostgreSQL ${postgres}`;
}
