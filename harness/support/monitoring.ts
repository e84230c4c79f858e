import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';

// The files for Prometheus and Grafana that we ship.

export const monitoringFolder = path.resolve(import.meta.dirname, '../../deploy/prometheus');

export interface AlertRule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}

export async function alertRules(): Promise<AlertRule[]> {
  const { groups } = parse(await readFile(path.join(monitoringFolder, 'alerts.yml'), 'utf8')) as {
    groups: { rules: AlertRule[] }[];
  };
  return groups.flatMap(({ rules }) => rules);
}

interface Panel {
  id: number;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
}

export async function dashboardPanels(): Promise<Panel[]> {
  const file = path.resolve(monitoringFolder, '../grafana/wartable.json');
  return (JSON.parse(await readFile(file, 'utf8')) as { panels: Panel[] }).panels;
}

/** Returns `name{label="value"}` for each series that a query reads. */
export function selectorsIn(query: string): string[] {
  return query.match(/\b(?:up|(?:wartable|process|nodejs)_\w+)\b(?:\{[^}]*\})?/g) ?? [];
}
