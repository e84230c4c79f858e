import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { withFolder } from '../proofs/proof.ts';
import { monitoringFolder } from '../support/monitoring.ts';

/** A match of `name{labels} value`, a line in the metrics of a real server. */
type Line = string[];

/** Lets promtool decide which of our alerts fire after some minutes in which a server has reported this. */
export async function assertFiring(
  minutes: number,
  lines: Line[],
  alerts: Record<string, string>[],
): Promise<void> {
  const now = Date.now() / 1_000;
  // For promtool, time begins at 0.
  const series = lines.map(([, name = '', labels = '', value = '']) => {
    const number = name.endsWith('_timestamp_seconds') ? Number(value) - now : Number(value);
    const others = labels === '' ? '}' : `,${labels.slice(1)}`;
    return { series: `${name}{job="wartable",instance="a"${others}`, values: `${number}x400` };
  });
  const input_series = [{ series: 'up{job="wartable",instance="a"}', values: '1x400' }, ...series];
  const exp_samples = alerts.map((labels) => {
    const all = Object.entries({ alertstate: 'firing', job: 'wartable', ...labels });
    return { labels: `ALERTS{${all.map(([name, value]) => `${name}="${value}"`).join()}}`, value: 1 };
  });
  const promql_expr_test = [{ expr: 'ALERTS{alertstate="firing"}', eval_time: `${minutes}m`, exp_samples }];
  await withFolder(async (folder) => {
    // JSON is valid YAML.
    await writeFile(
      path.join(folder, 'real.test.yml'),
      JSON.stringify({
        rule_files: [`${monitoringFolder}/alerts.yml`],
        tests: [{ interval: '15s', input_series, promql_expr_test }],
      }),
    );
    await promisify(execFile)('promtool', ['test', 'rules', 'real.test.yml'], { cwd: folder });
  });
}
