import { isIP } from 'node:net';
import { apiKeyPrefix } from '../contract/authentication.ts';
import { isLanguage, type Language, languages } from '../text/languages.ts';

// Parsers for settings that are not addresses of servers. Each takes the text from the environment, and
// throws an error that says what is wrong with it.

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
type LogLevel = (typeof logLevels)[number];

export function anyText(given: string): string {
  return given;
}

export function shortName(given: string): string {
  if (!/\S/.test(given) || /\p{Cc}/u.test(given) || given.length > 60)
    throw new Error('must be a name of at most 60 characters, on one line');
  return given.trim();
}

/** Parses the name of a source, which also appears in the labels of metrics. */
export function sourceName(given: string): string {
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(given))
    throw new Error(
      `must be a name of at most 63 lower-case letters, digits and hyphens, beginning with a letter or digit, not "${given}"`,
    );
  return given;
}

export function port(given: string): number {
  const value = Number(given);
  if (!/^\d+$/.test(given) || value > 65_535)
    throw new Error(`must be a port number between 0 and 65535, not "${given}"`);
  return value;
}

export function megabytes(given: string): number {
  if (!/^\d+$/.test(given)) throw new Error(`must be a whole number of megabytes, not "${given}"`);
  return atMost(999_999, given);
}

export function wholeNumber(given: string): number {
  if (!/^\d+$/.test(given)) throw new Error(`must be a whole number, not "${given}"`);
  return atMost(9_999_999, given);
}

function atMost(max: number, given: string): number {
  if (Number(given) > max) throw new Error(`must be at most ${max}, not "${given}"`);
  return Number(given);
}

/** Parses a list of addresses such as 10.0.0.7, or of subnets such as 10.0.0.0/8. */
export function addresses(given: string): string[] {
  const each = given === '' ? [] : given.split(',').map((address) => address.trim());
  const wrong = each.find((address) => !isAddressOrSubnet(address));
  if (wrong !== undefined) throw new Error(`must be addresses or subnets such as 10.0.0.0/8, not "${wrong}"`);
  return each;
}

function isAddressOrSubnet(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const longest = { 4: 32, 6: 128 }[isIP(address)];
  if (longest === undefined || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= longest);
}

export function atLeastOne(value: number): number {
  if (value < 1) throw new Error('must be at least 1');
  return value;
}

export function seconds(given: string): number {
  if (!/^\d+(\.\d+)?$/.test(given)) throw new Error(`must be a number of seconds, not "${given}"`);
  return atMost(9_999, given);
}

export function onOrOff(given: string): boolean {
  if (given !== 'on' && given !== 'off') throw new Error(`must be on or off, not "${given}"`);
  return given === 'on';
}

export function language(given: string): Language {
  if (!isLanguage(given)) throw new Error(`must be one of ${languages.join(', ')}, not "${given}"`);
  return given;
}

export function logLevel(given: string): LogLevel {
  const level = logLevels.find((known) => known === given);
  if (level === undefined) throw new Error(`must be one of ${logLevels.join(', ')}, not "${given}"`);
  return level;
}

export function secrets(given: string): string[] {
  // Never repeat a secret in a message.
  if (given === '') return [];
  const each = given.split(',').map((secret) => secret.trim());
  if (each.some((secret) => secret.length < 32))
    throw new Error('must have at least 32 characters in each secret: `openssl rand -hex 32` makes one');
  if (new Set(each).size < each.length) throw new Error('must not name a secret twice');
  return each;
}

export function apiKey(given: string): string {
  // Never repeat a key in a message: it may be somebody's own.
  if (!given.startsWith(apiKeyPrefix) || !/^\w{45}$/.test(given))
    throw new Error(
      `must be an API key, which begins with ${apiKeyPrefix}: \`wartable keys create\` makes one`,
    );
  return given;
}

/** Makes a parser return undefined if the setting is not given. */
export function optional<T>(parse: (given: string) => T): (given: string) => T | undefined {
  return (given) => (given === '' ? undefined : parse(given));
}
