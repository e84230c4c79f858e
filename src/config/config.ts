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
  wholeNumber,
} from './values.ts';

interface Setting {
  name: string;
  /** As text, like in the environment. Undefined when the setting is required. */
  default: string | undefined;
  meaning: string;
  parse: (text: string) => unknown;
}

/** The table in docs/settings.md is made from this list, and a test compares .env.example with it. */
export const settings = {
  databaseUrl: {
    name: 'DATABASE_URL',
    default: undefined,
    meaning: 'The PostgreSQL primary, with the login of this process.',
    parse: postgresUrl,
  },
  readUrls: {
    name: 'READ_URLS',
    default: '',
    meaning:
      'Streaming replicas, separated by commas. Documents are read there in turn; keys only while the primary is down.',
    parse: (given) => (given === '' ? [] : given.split(',').map((url) => postgresUrl(url.trim()))),
  },
  apiHost: { name: 'API_HOST', default: '127.0.0.1', meaning: 'Address the API listens on.', parse: anyText },
  apiPort: { name: 'API_PORT', default: '3000', meaning: 'Port the API listens on.', parse: port },
  apiUrl: {
    name: 'API_URL',
    default: '',
    meaning:
      "Public address of the API, the base of every `next`, without `/api/v1`. When not given: `localhost` with the API's port.",
    parse: optional(apiUrl),
  },
  siteHost: {
    name: 'SITE_HOST',
    default: '127.0.0.1',
    meaning: 'Address of the site (pages for people, guides, API reference, `openapi.json`).',
    parse: anyText,
  },
  sitePort: { name: 'SITE_PORT', default: '3001', meaning: 'Port of the site.', parse: port },
  opsHost: {
    name: 'OPS_HOST',
    default: '127.0.0.1',
    meaning: 'Address of the private listener (liveness, readiness, metrics).',
    parse: anyText,
  },
  opsPort: { name: 'OPS_PORT', default: '9090', meaning: 'Port of the private listener.', parse: port },
  siteUrl: {
    name: 'SITE_URL',
    default: '',
    meaning:
      "Public address of the site, the base of every `url` field. When not given: `localhost` with the site's port. Required to serve when `API_URL` is public. If it has a path, let your proxy send `/robots.txt` and `/.well-known/api-catalog` of the host there, too.",
    parse: optional(httpUrl),
  },
  siteName: {
    name: 'SITE_NAME',
    default: 'Wartable',
    meaning: 'Your name for the site: in the header, in titles and previews of its pages, in `openapi.json`.',
    parse: shortName,
  },
  siteLanguage: {
    name: 'SITE_LANGUAGE',
    default: 'en',
    meaning:
      'Language of the pages at their plain addresses: `en`, `de`, `fr`, `es`, `it` or `pl`. The others stand below `/en`, `/de` and so on. Guides and files are in English.',
    parse: language,
  },
  tournamentUrl: {
    name: 'TOURNAMENT_URL',
    default: '',
    meaning:
      'Your own page of a tournament, such as `https://my.example/event/{slug}`: then `url` points there, not to the site, and search engines are sent there.',
    parse: optional((given) => pageBase(given, '{slug}')),
  },
  battleUrl: {
    name: 'BATTLE_URL',
    default: '',
    meaning: 'Your own page of a battle, such as `https://my.example/game/{id}`.',
    parse: optional((given) => pageBase(given, '{id}')),
  },
  clubUrl: {
    name: 'CLUB_URL',
    default: '',
    meaning: 'Your own page of a club, such as `https://my.example/club/{slug}`.',
    parse: optional((given) => pageBase(given, '{slug}')),
  },
  termsUrl: {
    name: 'TERMS_URL',
    default: '',
    meaning:
      'Page with your terms for the use of the data. The site, both OpenAPI documents and `index.json` of `wartable files` name it.',
    parse: optional(pageUrl),
  },
  contactUrl: {
    name: 'CONTACT_URL',
    default: '',
    meaning:
      'Page where people reach you, or `mailto:` and an address. The site and its `openapi.json` show it.',
    parse: optional(contactUrl),
  },
  dataUrl: {
    name: 'DATA_URL',
    default: '',
    meaning: 'Public address of the folder that `wartable files` writes. The site links to its `index.json`.',
    parse: optional(httpUrl),
  },
  sitePages: {
    name: 'SITE_PAGES',
    default: 'on',
    meaning:
      'Whether the site has pages for people: `on`, or `off` when you have pages of your own. The API reference, the guides and `openapi.json` are always there.',
    parse: onOrOff,
  },
  embed: {
    name: 'EMBED',
    default: 'on',
    meaning:
      'Whether other sites may show standings of yours in a frame: `on`, or `off`. No other page can be framed.',
    parse: onOrOff,
  },
  guests: {
    name: 'GUESTS',
    default: 'on',
    meaning:
      'Whether guests, who have no account, have a page in each event and can be followed and found on the site: `on`, or `off`. See [privacy](privacy.md).',
    parse: onOrOff,
  },
  cursorSecrets: {
    name: 'CURSOR_SECRETS',
    default: '',
    meaning:
      'Required to serve: the secrets that cursors are signed with, separated by commas, the newest first, each of at least 32 characters. All instances share them.',
    parse: secrets,
  },
  cacheMegabytes: {
    name: 'CACHE_MB',
    default: '64',
    meaning: 'Memory for answers and pages, in megabytes. 0 keeps none.',
    parse: megabytes,
  },
  inFlightMegabytes: {
    name: 'IN_FLIGHT_MB',
    default: '64',
    meaning:
      'Most bytes of answers that callers have not read yet, in megabytes. One key may use a quarter of it, all pages of the site together another one.',
    parse: (given) => atLeastOne(megabytes(given)),
  },
  maxConnections: {
    name: 'MAX_CONNECTIONS',
    default: '10000',
    meaning:
      'Most connections of callers, to the API and the site together. The server closes others at once.',
    parse: (given) => atLeastOne(wholeNumber(given)),
  },
  trustProxy: {
    name: 'TRUST_PROXY',
    default: '',
    meaning:
      'Addresses or subnets of your proxies, separated by commas. The server believes their `X-Forwarded-For`, and one address may use a twentieth of `MAX_CONNECTIONS`.',
    parse: addresses,
  },
  rateLimit: {
    name: 'RATE_LIMIT',
    default: '',
    meaning:
      'Requests a minute for each key; the server answers 429 above it. When not given there are no limits, also none of accounts.',
    parse: optional((given) => atLeastOne(wholeNumber(given))),
  },
  redisUrl: {
    name: 'REDIS_URL',
    default: '',
    meaning:
      'The Redis in which all instances count requests together, with `RATE_LIMIT`. When not given, each instance counts by itself.',
    parse: optional(redisUrl),
  },
  drainSeconds: {
    name: 'DRAIN_SECONDS',
    default: '5',
    meaning:
      'How long readiness stays false after SIGTERM before the API stops listening, so that a load balancer notices first.',
    parse: seconds,
  },
  reconnectSeconds: {
    name: 'RECONNECT_SECONDS',
    default: '600',
    meaning:
      'How long an import waits for a database that went away, or that has no free disk, memory or connection. After that it ends and names the last line that it recorded.',
    parse: seconds,
  },
  logLevel: {
    name: 'LOG_LEVEL',
    default: 'info',
    meaning: 'One of `debug`, `info`, `warn`, `error`, `silent`. One line per request at `info`.',
    parse: logLevel,
  },
} satisfies Record<string, Setting>;

/** The environment, parsed and checked once and then passed on. No other code reads the environment. */
export type Config = { [Key in keyof typeof settings]: ReturnType<(typeof settings)[Key]['parse']> };

export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const config: Record<string, unknown> = {};
  const mistakes: string[] = [];
  for (const [key, setting] of Object.entries<Setting>(settings)) {
    const given = environment[setting.name];
    const value = given === undefined || given === '' ? setting.default : given;
    try {
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

export class ConfigError extends Error {
  constructor(mistakes: string[]) {
    const lines = mistakes.map((mistake) => `${mistake}.`);
    super(lines.length === 1 ? lines[0] : `${lines.length} settings are wrong:\n  ${lines.join('\n  ')}`);
    this.name = 'ConfigError';
  }
}
