import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** The members of a service in compose.yaml that the tests and the proof use. */
interface ComposeService {
  image: string;
  user?: string;
  command?: string[];
  entrypoint?: string[];
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

const readText = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const text = readText('compose.yaml');
const scaleText = readText('compose.scale.yaml');

/**
 * Reads compose.yaml with the variables replaced as Compose does it. Throws if a required variable is
 * missing.
 */
export function readCompose(variables: Record<string, string>): Compose {
  return parse(withVariables(text, variables), { merge: true }) as Compose;
}

/**
 * Reads compose.yaml and compose.scale.yaml on top of it, merged by those rules of Compose that the two files
 * need.
 */
export function readScaledCompose(variables: Record<string, string>): Compose {
  const base = readCompose(variables);
  const added = parse(withVariables(scaleText, variables), { merge: true }) as Compose;
  const services = structuredClone(base.services);
  for (const [name, { extends: from, ...own }] of Object.entries<
    ComposeService & { extends?: { service: string } }
  >(added.services)) {
    const before = from === undefined ? services[name] : base.services[from.service];
    services[name] = {
      ...before,
      ...own,
      environment: { ...before?.environment, ...own.environment },
      ...((before?.depends_on ?? own.depends_on) && {
        depends_on: { ...before?.depends_on, ...own.depends_on },
      }),
    };
  }
  return { ...base, services, volumes: { ...base.volumes, ...added.volumes } };
}

function withVariables(given: string, variables: Record<string, string>): string {
  return given.replaceAll(/\$\{(\w+)(:?[-?])([^}]*)\}/g, (_, name: string, kind: string, rest: string) => {
    const value = variables[name];
    // Without a colon, an empty value is a value.
    if (value !== undefined && (value !== '' || !kind.startsWith(':'))) return value;
    if (kind === ':?') throw new Error(`${name}: ${rest}`);
    return rest;
  });
}

/** The names of the variables without which compose.yaml does not start. */
export const requiredVariables: string[] = [
  ...new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name ?? '')),
].toSorted();
