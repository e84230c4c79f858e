import { accessSync, constants } from 'node:fs';

// Addresses in settings. They may contain a password, so a message never repeats one.

export const exampleUrl = 'postgres://user:password@host:5432/database';

export function postgresUrl(given: string): string {
  if (!/^postgres(ql)?:\/\//.test(given) || !isWhole(given))
    throw new Error(`must be an address such as ${exampleUrl}, ${encoded}`);
  const { searchParams } = new URL(given);
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    const file = searchParams.get(name);
    if (file !== null && !isReadable(file))
      throw new Error(`must name a file in ${name} that this user can read, not "${file}"`);
  }
  return withVerification(given);
}

/**
 * Makes the driver verify the server fully. It treats the weaker modes as verify-full anyway, but warns at
 * length that this will change. We always want verify-full. An operator who sets `uselibpqcompat` knows the
 * difference.
 */
function withVerification(given: string): string {
  if (/[?&]uselibpqcompat=/.test(given)) return given;
  return given.replace(/([?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

export function redisUrl(given: string): string {
  if (!/^rediss?:\/\/[^/]/.test(given) || !isWhole(given))
    throw new Error(`must be an address such as redis://:password@host:6379, ${encoded}`);
  return given;
}

const encoded = 'with the password percent-encoded (%23 for #, %2F for /)';

/**
 * Returns true if the address is parsed as it was meant. An unencoded # or / in the password makes its
 * beginning look like the port of another host; in that case an @ follows later.
 */
function isWhole(given: string): boolean {
  return URL.canParse(given) && !/^\w+:\/\/[^@?]*[/#][^?]*@/.test(given);
}

/** Returns the address in one spelling, without a slash at the end, because we append paths to it. */
export function httpUrl(given: string): string {
  // The URL parser alone would silently correct mistakes: white space, backslashes, missing slashes.
  if (!/^https?:\/\/[^\s\\/?#@,]+(\/[^\s\\?#]*)?$/i.test(given) || !URL.canParse(given)) {
    throw new Error(
      'must be an address such as https://example.org or https://example.org:8443/path, without white space, user, query or fragment',
    );
  }
  const { origin, pathname } = new URL(given);
  return `${origin}${pathname}`.replace(/\/+$/, '');
}

/** Returns the base address of `next`. */
export function apiUrl(given: string): string {
  const base = httpUrl(given);
  if (base.endsWith('/api/v1'))
    throw new Error(
      'must be the address before /api/v1, such as https://example.org: the server adds /api/v1',
    );
  return base;
}

/** Returns the address of a page. Unlike a base for other addresses, it may have a query and a fragment. */
export function pageUrl(given: string): string {
  // A user name or password would become public.
  if (!/^https?:\/\/[^\s\\/?#@,]+([/?#][^\s\\<>"]*)?$/i.test(given) || !URL.canParse(given)) {
    throw new Error('must be an address such as https://example.org/terms, without white space and user');
  }
  return new URL(given).href;
}

/**
 * Returns the part before the placeholder, to which a server appends the slug or the id. Nothing may follow
 * the placeholder.
 */
export function pageBase(given: string, placeholder: string): string {
  const base = given.slice(0, -placeholder.length);
  if (
    !given.endsWith(placeholder) ||
    base.includes('{') ||
    !/^https?:\/\/[^\s\\/?#@,]+[/?#][^\s\\<>"]*$/i.test(base)
  )
    throw new Error(
      `must be an address that ends with ${placeholder}, such as https://example.org/page/${placeholder}`,
    );
  return new URL(base).href;
}

export function contactUrl(given: string): string {
  if (/^mailto:[^\s@?&#<>"]+@[^\s@?&#<>"]+$/i.test(given)) return given.replace(/^mailto:/i, 'mailto:');
  try {
    return pageUrl(given);
  } catch {
    throw new Error('must be an address such as https://example.org/contact or mailto:results@example.org');
  }
}
