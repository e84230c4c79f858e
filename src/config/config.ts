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
import { languages } from '../text/languages.ts';
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
      'The PostgreSQL primary, with the login of this process. Always set it, because no command that needs a database runs without it.',
    isSecret: true,
    parse: postgresUrl,
  },
  adminUrl: {
    name: 'ADMIN_URL',
    default: '',
    meaning:
      'The same server with a superuser; only `wartable backup` uses it. Set it where you make backups. Otherwise the logins are saved without their passwords.',
    isSecret: true,
    parse: optional(postgresUrl),
  },
  readUrls: {
    name: 'READ_URLS',
    default: '',
    meaning:
      'Streaming replicas, separated by commas. Servers read documents from them, and verify keys with them only while the primary is down. Set it if you have replicas. Otherwise nothing answers while the primary is down.',
    isSecret: true,
    parse: (given) => (given === '' ? [] : given.split(',').map((url) => postgresUrl(url.trim()))),
  },
  apiHost: {
    name: 'API_HOST',
    default: '127.0.0.1',
    meaning:
      'The address at which the API listens. Set it if your proxy is on another machine or in another container, which cannot reach the default.',
    parse: anyText,
  },
  apiPort: {
    name: 'API_PORT',
    default: '3000',
    meaning: 'The port of the API. Set it if the port is taken. Otherwise the server does not start.',
    parse: port,
  },
  apiUrl: {
    name: 'API_URL',
    default: '',
    meaning:
      'The public address of the API, without `/api/v1`. Set it if the API is public. Otherwise each `next` leads to `localhost`.',
    parse: optional(apiUrl),
  },
  siteHost: {
    name: 'SITE_HOST',
    default: '127.0.0.1',
    meaning: 'The address at which the site listens, like `API_HOST`.',
    parse: anyText,
  },
  sitePort: {
    name: 'SITE_PORT',
    default: '3001',
    meaning: 'The port of the site, like `API_PORT`.',
    parse: port,
  },
  opsHost: {
    name: 'OPS_HOST',
    default: '127.0.0.1',
    meaning:
      'The address of the private listener, like `API_HOST`. Set it if your proxy or Prometheus cannot reach the default. Never make it public.',
    parse: anyText,
  },
  opsPort: {
    name: 'OPS_PORT',
    default: '9090',
    meaning: 'The port of the private listener, like `API_PORT`.',
    parse: port,
  },
  siteUrl: {
    name: 'SITE_URL',
    default: '',
    meaning:
      'The public address of the site. Set it if the site is public. Otherwise each `url` leads to `localhost`, and a server with a public `API_URL` does not start. If it has a path, configure your proxy to send `/robots.txt`, `/llms.txt` and `/.well-known/` of the host there, too.',
    parse: optional(httpUrl),
  },
  siteName: {
    name: 'SITE_NAME',
    default: 'Wartable',
    meaning:
      'Your name for the site. Set it if you have one. Otherwise pages and `openapi.json` say Wartable.',
    parse: shortName,
  },
  siteLanguage: {
    name: 'SITE_LANGUAGE',
    default: 'en',
    meaning: `The language of pages whose address names none: ${alternatives(languages)}. Set it if your visitors read another language than English. Otherwise they have to choose theirs, whose pages are at \`/de\` and so on. Guides and files are always in English.`,
    parse: language,
  },
  tournamentUrl: {
    name: 'TOURNAMENT_URL',
    default: '',
    meaning:
      'The address of your own page for a tournament, such as `https://my.example/event/{slug}`. Set it if you have such pages. Otherwise `url` and search engines lead to the site.',
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
      'A page with your terms for the use of the data. Set it if you have terms. Otherwise the site, the OpenAPI documents and the files name none.',
    parse: optional(pageUrl),
  },
  contactUrl: {
    name: 'CONTACT_URL',
    default: '',
    meaning:
      'A page, or `mailto:` and an address, where people can reach you. Set it if the site is public. Otherwise the site and `openapi.json` name no contact.',
    parse: optional(contactUrl),
  },
  dataUrl: {
    name: 'DATA_URL',
    default: '',
    meaning:
      'The public address of the folder that `wartable files` writes. Set it if you offer the files. Otherwise the site does not link to them.',
    parse: optional(httpUrl),
  },
  sitePages: {
    name: 'SITE_PAGES',
    default: 'on',
    meaning:
      'Whether the site has pages that show results. Set it to `off` if you have pages of your own. Otherwise each event has two. Name yours in `TOURNAMENT_URL`, `BATTLE_URL` and `CLUB_URL`, because otherwise each `url` leads to a 404. The reference, the guides and `openapi.json` stay.',
    parse: onOrOff,
  },
  embed: {
    name: 'EMBED',
    default: 'on',
    meaning:
      'Whether other sites may show your standings in a frame. Set it to `off` if they may not. Other pages can never be framed.',
    parse: onOrOff,
  },
  guests: {
    name: 'GUESTS',
    default: 'on',
    meaning:
      'Whether guests, who have no account, have pages. Set it to `off` if you may not show such people. Otherwise each guest has a page in each event, and can be followed and found on the site ([privacy](privacy.md)).',
    parse: onOrOff,
  },
  trialKey: {
    name: 'TRIAL_KEY',
    default: '',
    meaning:
      'An API key that everybody may try. The guides and the reference show it, so create it for an account of its own with a tight limit (`wartable accounts set`). Set it if newcomers should be able to try the API. Otherwise they have to ask you for a key first.',
    parse: optional(apiKey),
  },
  cursorSecrets: {
    name: 'CURSOR_SECRETS',
    default: '',
    meaning:
      'The secrets that sign cursors, separated by commas, newest first, each with at least 32 characters. Set it to the same value on all servers, because no server starts without it.',
    isSecret: true,
    parse: secrets,
  },
  cacheMegabytes: {
    name: 'CACHE_MB',
    default: '64',
    meaning:
      'How many megabytes of answers and pages a server keeps in memory; 0 keeps none. Set it if you have many events or little memory. If it is too small, the database has to answer more.',
    parse: megabytes,
  },
  inFlightMegabytes: {
    name: 'IN_FLIGHT_MB',
    default: '64',
    meaning:
      'How many megabytes of answers may be waiting for callers to read them. One key can use a quarter of it, and all pages of the site together another quarter. Set it if many callers are slow. If it is too small, reads wait and end with 503.',
    parse: (given) => atLeastOne(megabytes(given)),
  },
  maxConnections: {
    name: 'MAX_CONNECTIONS',
    default: '10000',
    meaning:
      'How many connections callers can have, to the API and the site together. Set it if you expect more. Otherwise the server closes the surplus at once.',
    parse: (given) => atLeastOne(wholeNumber(given)),
  },
  trustProxy: {
    name: 'TRUST_PROXY',
    default: '',
    meaning:
      'The addresses or subnets of your proxies, separated by commas. Set it if you have a proxy. Otherwise the server ignores `X-Forwarded-For`, so all callers seem to have one address, and one of them can take all connections.',
    parse: addresses,
  },
  rateLimit: {
    name: 'RATE_LIMIT',
    default: '',
    meaning:
      'How many requests per minute each key may send. Set it if the API is public. Otherwise there are no limits, and even the limits of accounts do not apply.',
    parse: optional((given) => atLeastOne(wholeNumber(given))),
  },
  redisUrl: {
    name: 'REDIS_URL',
    default: '',
    meaning:
      'The Redis in which all servers count requests together. Set it if you have `RATE_LIMIT` and several servers. Otherwise a key can use up its limit on each server.',
    isSecret: true,
    parse: optional(redisUrl),
  },
  drainSeconds: {
    name: 'DRAIN_SECONDS',
    default: '5',
    meaning:
      'How many seconds a server continues to listen after SIGTERM, while `/ready` already says that it is not ready. Set it if your load balancer asks `/ready` less often than that. Otherwise it sends requests that fail.',
    parse: seconds,
  },
  importSource: {
    name: 'IMPORT_SOURCE',
    default: 'main',
    meaning:
      'The source of what `wartable import` records, unless `--source` names another one. Set it for each platform or sheet if you have several. Otherwise they are all one source, and can remove what another one sent ([sources](sources.md)).',
    parse: sourceName,
  },
  reconnectSeconds: {
    name: 'RECONNECT_SECONDS',
    default: '600',
    meaning:
      'How many seconds an import waits for a database that is down or has run out of disk space, memory or connections, both when it starts and while it runs. Set it if your failover takes longer. Otherwise the import ends.',
    parse: seconds,
  },
  logLevel: {
    name: 'LOG_LEVEL',
    default: 'info',
    meaning:
      'What is logged: `debug`, `info`, `warn`, `error` or `silent`. Set it to `warn` if the log grows too large, because `info` has a line for each request. `debug` adds the stack of each fault.',
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
        throw new Error(`is not set: set it in the environment or in a .env file, like ${exampleUrl}`);
      config[key] = setting.parse(value);
    } catch (error) {
      mistakes.push(`${setting.name} ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return config as unknown as Config;
}

/**
 * Returns the value from the environment or from a file. A file often ends with a line break, and on Windows
 * begins with a byte order mark. No secret does.
 */
function givenValue({ name, isSecret }: Setting, environment: NodeJS.ProcessEnv): string | undefined {
  const given = environment[name];
  const file = isSecret && environment[`${name}_FILE`];
  if (!file) return given;
  if (given) throw new Error(`is set, and so is ${name}_FILE: remove one of them`);
  let value: string;
  try {
    value = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Error(`cannot be read from ${file}, which ${name}_FILE names: this user needs that file`, {
      cause: error,
    });
  }
  // Such a text could serve as a secret, but it isn't the one that the operator sees in the file.
  if (/[\0\uFFFD]/.test(value))
    throw new Error(`is read from ${file}, which is not UTF-8 text: save it as UTF-8`);
  // Otherwise a server would start without what the operator meant to give it.
  if (value === '') throw new Error(`is read from ${file}, which is empty: it must contain the value`);
  // An address would lose its line breaks and lead somewhere else.
  if (/[\r\n]/.test(value))
    throw new Error(`is read from ${file}, which has several lines: it must contain only the value`);
  return value;
}

export class ConfigError extends Error {
  constructor(mistakes: string[]) {
    const lines = mistakes.map((mistake) => `${mistake}.`);
    super(lines.length === 1 ? lines[0] : `${lines.length} settings are wrong:\n  ${lines.join('\n  ')}`);
    this.name = 'ConfigError';
  }
}

function alternatives(values: readonly string[]): string {
  const quoted = values.map((value) => `\`${value}\``);
  return `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}
