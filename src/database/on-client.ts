import pg from 'pg';

/** Runs `work` on a connection of its own, for commands that need no pool. */
export async function onClient<T>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<T>,
  settings: pg.ClientConfig = {},
): Promise<T> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 5_000,
    ...settings,
  });
  // A connection that breaks makes the running statement fail. Without this listener, it would end the
  // process.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
