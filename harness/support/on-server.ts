import pg from 'pg';

/** Runs one statement on a connection of its own. */
export async function onServer(serverUrl: string, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const client = new pg.Client({ connectionString: serverUrl });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query(statement);
      return;
    } catch (error) {
      // A template can be cloned only while nobody uses it, so test files that start at the same time retry.
      if (
        attempt === 1_200 ||
        !(error instanceof Error) ||
        !/being accessed by other users/.test(error.message)
      ) {
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    } finally {
      await client.end();
    }
  }
}

/**
 * Creates a login of a throwaway PostgreSQL and returns its address. All logins have the password of the
 * superuser, so `loginUrl` can return the address of any of them.
 */
export async function createLogin(serverUrl: string, login: string, options = ''): Promise<string> {
  const { password } = new URL(serverUrl);
  await onServer(serverUrl, `create role ${login} login password '${password}' ${options}`);
  return loginUrl(serverUrl, login);
}

export function loginUrl(serverUrl: string, login: string): string {
  const url = new URL(serverUrl);
  url.username = login;
  return url.href;
}

/**
 * Removes the password from an address that a program gets as an argument, which every user of the machine
 * can read. PostgreSQL's programs and ours find it in the environment.
 */
export function withoutPassword(url: string): { url: string; PGPASSWORD: string } {
  const address = new URL(url);
  const PGPASSWORD = decodeURIComponent(address.password);
  address.password = '';
  return { url: address.href, PGPASSWORD };
}

export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
