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
      // Cloning needs the template unused: test files that start together queue by trying again.
      if (
        attempt === 50 ||
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

export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
