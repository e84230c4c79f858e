import { readFileSync } from 'node:fs';
import {
  apiUrl,
  contactUrl,
  exampleUrl,
  httpUrl,
  pageBase,
  pageUrl,
  postgresUrl,
  redisUrl,
} from './addresses.ts';
import {
  addresses,
  anyText,
  apiKey,
  atLeastOne,
  language,
  logLevel,
  megabytes,
  onOrOff,
  optional,
  port,
  seconds,
  secrets,
  shortName,
  sourceName,
  wholeNumber,
} from './values.ts';

interface Setting {
  name: string;
  /** The default as text, as in the environment. Undefined if the setting is required. */
  default: string | undefined;
  /** An explanation for docs/settings.md: what the setting is, who sets it, and what breaks without it. */
  meaning: string;
  parse: (text: string) => unknown;
  /** If true, NAME_FILE may name a file that contains the value. */
  isSecret?: true;
}

/** All settings. docs/settings.md is generated from this list, and a test compares .env.example with it. */
export const settings = {
  databaseUrl: {
    name: 'DATABASE_URL',
    default: undefined,
    meaning:
      'The PostgreSQL primary, with the login of this process. Everyone sets it: without it, no command that needs a database runs.',
    isSecret: true,
    parse: postgresUrl,
  },
  adminUrl: {
    name: 'ADMIN_URL',
    default: '',
    meaning:
      'The same server with a superuser, for `wartable backup` alone. Set it where you make backups: without it, the logins are saved without their passwords.',
    isSecret: true,
    parse: optional(postgresUrl),
  },
  readUrls: {
    name: 'READ_URLS',
    default: '',
    meaning:
      'Streaming replicas, separated by commas, for documents; for keys only while the primary is down. Set it if you have replicas: without it, nothing answers while the primary is down.',
    isSecret: true,
    parse: (given) => (given === '' ? [] : given.split(',').map((url) => postgresUrl(url.trim()))),
  },
  apiHost: {
    name: 'API_HOST',
    default: '127.0.0.1',
    meaning:
      'Address of the API. Set it if your proxy is on another machine or in another container: it cannot reach the default.',
    parse: anyText,
  },
  apiPort: {
    name: 'API_PORT',
    default: '3000',
    meaning: 'Port of the API. Set it if the port is taken: the server would not start.',
    parse: port,
  },
  apiUrl: {
    name: 'API_URL',
    default: '',
    meaning:
      'Public address of the API, without `/api/v1`. Set it if the API is public: without it, each `next` leads to `localhost`.',
    parse: optional(apiUrl),
  },
  siteHost: {
    name: 'SITE_HOST',
    default: '127.0.0.1',
    meaning: 'Address of the site, as `API_HOST`.',
    parse: anyText,
  },
  sitePort: {
    name: 'SITE_PORT',
    default: '3001',
    meaning: 'Port of the site, as `API_PORT`.',
    parse: port,
  },
  opsHost: {
    name: 'OPS_HOST',
    default: '127.0.0.1',
    meaning: 'Address of the private listener, as `API_HOST`, also for Prometheus. Never make it public.',
    parse: anyText,
  },
  opsPort: {
    name: 'OPS_PORT',
    default: '9090',
    meaning: 'Port of the private listener, as `API_PORT`.',
    parse: port,
  },
  siteUrl: {
    name: 'SITE_URL',
    default: '',
    meaning:
      'Public address of the site. Set it if the site is public: without it, each `url` leads to `localhost`, and a server with a public `API_URL` does not start. If it has a path, let your proxy send `/robots.txt`, `/llms.txt` and `/.well-known/` of the host there, too.',
    parse: optional(httpUrl),
  },
  siteName: {
    name: 'SITE_NAME',
    default: 'Wartable',
    meaning:
      'Your name for the site. Set it if you have one: without it, pages and `openapi.json` say Wartable.',
    parse: shortName,
  },
  siteLanguage: {
    name: 'SITE_LANGUAGE',
    default: 'en',
    meaning:
      'Language of the plain addresses: `en`, `de`, `fr`, `es`, `it` or `pl`. Set it if your visitors read another one: they would have to choose it, at `/de` and so on. Guides and files are in English.',
    parse: language,
  },
  tournamentUrl: {
    name: 'TOURNAMENT_URL',
    default: '',
    meaning:
      'Your own page of a tournament, such as `https://my.example/event/{slug}`. Set it if you have such pages: without it, `url` and search engines lead to the site.',
    parse: optional((given) => pageBase(given, '{slug}')),
  },
  battleUrl: {
    name: 'BATTLE_URL',
    default: '',
    meaning: 'The same for a battle, such as `https://my.example/game/{id}`.',
    parse: optional((given) => pageBase(given, '{id}')),
  },
  clubUrl: {
    name: 'CLUB_URL',
    default: '',
    meaning: 'The same for a club, such as `https://my.example/club/{slug}`.',
    parse: optional((given) => pageBase(given, '{slug}')),
  },
  termsUrl: {
    name: 'TERMS_URL',
    default: '',
    meaning:
      'Page with your terms for the use of the data. Set it if you have terms: without it, site, OpenAPI documents and files name none.',
    parse: optional(pageUrl),
  },
  contactUrl: {
    name: 'CONTACT_URL',
    default: '',
    meaning:
      'A page, or `mailto:` and an address. Set it if the site is public: without it, site and `openapi.json` show nobody to turn to.',
    parse: optional(contactUrl),
  },
  dataUrl: {
    name: 'DATA_URL',
    default: '',
    meaning:
      'Public address of the folder that `wartable files` writes. Set it if you offer the files: without it, the site does not link to them.',
    parse: optional(httpUrl),
  },
  sitePages: {
    name: 'SITE_PAGES',
    default: 'on',
    meaning:
      'Set it to `off` if you have pages of your own: otherwise each event has two. Name yours in `TOURNAMENT_URL`, `BATTLE_URL` and `CLUB_URL`, or each `url` is a 404. Reference, guides and `openapi.json` stay.',
    parse: onOrOff,
  },
  embed: {
    name: 'EMBED',
    default: 'on',
    meaning:
      'Set it to `off` if other sites may not show your standings in a frame: otherwise they may. No other page can be framed.',
    parse: onOrOff,
  },
  guests: {
    name: 'GUESTS',
    default: 'on',
    meaning:
      'Set it to `off` if you may not show people without an account: otherwise each guest has a page in each event, and can be followed and found on the site ([privacy](privacy.md)).',
    parse: onOrOff,
  },
  trialKey: {
    name: 'TRIAL_KEY',
    default: '',
    meaning:
      'An API key that everybody may try. Guides, reference and the first page of the guides show it, so make it for an account of its own with a tight limit (`wartable accounts set`). Without it, a new caller has to ask you for a key first.',
    parse: optional(apiKey),
  },
  cursorSecrets: {
    name: 'CURSOR_SECRETS',
    default: '',
    meaning:
      'The secrets that sign cursors, separated by commas, the newest first, each of at least 32 characters. Everyone who serves sets it, the same on all instances: without it, no server starts.',
    isSecret: true,
    parse: secrets,
  },
  cacheMegabytes: {
    name: 'CACHE_MB',
    default: '64',
    meaning:
      'Megabytes for answers and pages; 0 keeps none. Set it if you have many events or little memory: with too few, the database answers more.',
    parse: megabytes,
  },
  inFlightMegabytes: {
    name: 'IN_FLIGHT_MB',
    default: '64',
    meaning:
      'Megabytes of answers that callers have not read yet; one key may use a quarter, all pages of the site another one. Set it if many callers are slow: with too few, reads wait and end with 503.',
    parse: (given) => atLeastOne(megabytes(given)),
  },
  maxConnections: {
    name: 'MAX_CONNECTIONS',
    default: '10000',
    meaning:
      'Connections of callers, to the API and the site together. Set it if you expect more: the server closes them at once.',
    parse: (given) => atLeastOne(wholeNumber(given)),
  },
  trustProxy: {
    name: 'TRUST_PROXY',
    default: '',
    meaning:
      'Addresses or subnets of your proxies, separated by commas. Set it if you have a proxy: without it, the server ignores `X-Forwarded-For`, all callers are one address, and one can take all connections.',
    parse: addresses,
  },
  rateLimit: {
    name: 'RATE_LIMIT',
    default: '',
    meaning:
      'Requests a minute for each key. Set it if the API is public: without it there are no limits, also none of accounts.',
    parse: optional((given) => atLeastOne(wholeNumber(given))),
  },
  redisUrl: {
    name: 'REDIS_URL',
    default: '',
    meaning:
      'The Redis in which all servers count requests together. Set it if you have `RATE_LIMIT` and several servers: without it, a key may send its limit to each.',
    isSecret: true,
    parse: optional(redisUrl),
  },
  drainSeconds: {
    name: 'DRAIN_SECONDS',
    default: '5',
    meaning:
      'How long readiness is false after SIGTERM before the server stops listening. Set it if your load balancer asks `/ready` less often: it would send requests that fail.',
    parse: seconds,
  },
  importSource: {
    name: 'IMPORT_SOURCE',
    default: 'main',
    meaning:
      'Who sends what `wartable import` records, when its `--source` does not say. Set it for each platform or sheet if you have several: without it, all of them are one source and can remove what another one sent ([sources](sources.md)).',
    parse: sourceName,
  },
  reconnectSeconds: {
    name: 'RECONNECT_SECONDS',
    default: '600',
    meaning:
      'How long an import waits for a database that is away or has no free disk, memory or connection, when it starts and while it runs. Set it if your failover takes longer: the import would end.',
    parse: seconds,
  },
  logLevel: {
    name: 'LOG_LEVEL',
    default: 'info',
    meaning:
      '`debug`, `info`, `warn`, `error` or `silent`. Set it to `warn` if the log grows too large: `info` has a line for each request. `debug` adds the stack of a fault.',
    parse: logLevel,
  },
} satisfies Record<string, Setting>;

/**
 * The environment after it was parsed and checked. This is done only once; no other code reads the
 * environment.
 */
export type Config = { [Key in keyof typeof settings]: ReturnType<(typeof settings)[Key]['parse']> };

export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const config: Record<string, unknown> = {};
  const mistakes: string[] = [];
  for (const [key, setting] of Object.entries<Setting>(settings)) {
    try {
      const value = givenValue(setting, environment) || setting.default;
      if (value === undefined)
        throw new Error(`is not set: set it in the environment or in a file .env, like ${exampleUrl}`);
      config[key] = setting.parse(value);
    } catch (error) {
      mistakes.push(`${setting.name} ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return config as unknown as Config;
}

/**
 * Returns the value from the environment or from a file. A file often ends with a line break, which no secret
 * does.
 */
function givenValue({ name, isSecret }: Setting, environment: NodeJS.ProcessEnv): string | undefined {
  const given = environment[name];
  const file = isSecret && environment[`${name}_FILE`];
  if (!file) return given;
  if (given) throw new Error(`is set, and so is ${name}_FILE: remove one of them`);
  try {
    return readFileSync(file, 'utf8').trimEnd();
  } catch (error) {
    throw new Error(`cannot be read from ${file}, which ${name}_FILE names: this user needs that file`, {
      cause: error,
    });
  }
}

export class ConfigError extends Error {
  constructor(mistakes: string[]) {
    const lines = mistakes.map((mistake) => `${mistake}.`);
    super(lines.length === 1 ? lines[0] : `${lines.length} settings are wrong:\n  ${lines.join('\n  ')}`);
    this.name = 'ConfigError';
  }
}
