import pg from 'pg';

/** Runs one statement on its own connection. */
export async function onServer(serverUrl: string, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const client = new pg.Client({ connectionString: serverUrl });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query(statement);
      return;
    } catch (error) {
      // A template can only be cloned while unused: test files that start at the same time retry.
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
