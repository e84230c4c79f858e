import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** What the tests and the proof read of a service in compose.yaml. */
interface ComposeService {
  image: string;
  user?: string;
  command?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  ports?: string[];
  tmpfs?: string[];
  profiles?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  init?: boolean;
  healthcheck?: { test?: string[]; disable?: boolean };
  depends_on?: Record<string, { condition: string }>;
}

export interface Compose {
  services: Record<string, ComposeService>;
  networks: { default: { ipam: { config: [{ subnet: string }] } } };
  volumes: Record<string, unknown>;
}

const text = readFileSync(new URL('../../compose.yaml', import.meta.url), 'utf8');

/** With the variables replaced as Compose does it. Throws for a required variable that is missing. */
export function readCompose(variables: Record<string, string>): Compose {
  const replaced = text.replaceAll(
    /\$\{(\w+)(:?[-?])([^}]*)\}/g,
    (_, name: string, kind: string, rest: string) => {
      const given = variables[name];
      // Without a colon, an empty value is a value.
      if (given !== undefined && (given !== '' || !kind.startsWith(':'))) return given;
      if (kind === ':?') throw new Error(`${name}: ${rest}`);
      return rest;
    },
  );
  return parse(replaced, { merge: true }) as Compose;
}

/** The names of the variables that compose.yaml does not start without. */
export const requiredVariables: string[] = [
  ...new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name ?? '')),
].toSorted();
