import { createPool } from '../../src/database/pool.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { bearer, createTestKey, startTestServer, type TestServer } from '../../harness/support/server.ts';
import { feed } from './feed/feed.ts';

// The feed, imported and published with the login that an operator gives to both commands, and a server that
// reads the result.

export type Row = Record<string, unknown>;
export interface Page {
  data: Row[];
  next: string | null;
}
interface Shown {
  stage: Row;
  data: Row[];
}

export interface World {
  database: TestDatabase;
  key: string;
  apiUrl: string;
  /** Asks for a path, and compares every answer with openapi.json. */
  get: TestServer['get'];
  page: (path: string) => Promise<Page>;
  item: (path: string) => Promise<Row>;
  standings: (slug: string, stage?: string) => Promise<Shown>;
  /** Returns the data of all pages. */
  all: (path: string) => Promise<Row[]>;
  /** Returns the message of a refusal, with its status and code. */
  refusal: (path: string) => Promise<{ status: number; message: string; code: string }>;
  /** Imports and publishes more records. */
  tell: (...records: FeedRecord[]) => Promise<void>;
}

export async function startWorld(): Promise<World> {
  const database = await createTestDatabase();
  const login = await database.loginAs('wartable_publish');
  const pool = createPool(login, { applicationName: 'wartable-test', size: 8 });
  atEnd(() => pool.end());
  const tell = (...records: FeedRecord[]) => publishFeed(pool, records);
  await tell(...feed);

  const server = await startTestServer(await database.loginAs('wartable_serve'));
  const { key } = await createTestKey(database);
  const get: World['get'] = (path, headers = bearer(key)) => server.get(`/api/v1${path}`, headers);
  const page: World['page'] = async (path) => (await get(path)).json as Page;
  return {
    database,
    key,
    apiUrl: server.apiUrl,
    get,
    page,
    tell,
    item: async (path) => ((await get(path)).json as { data: Row }).data,
    standings: async (slug, stage) => {
      const query = stage === undefined ? '' : `?stage=${stage}`;
      return (await get(`/tournaments/${slug}/standings${query}`)).json as Shown;
    },
    all: async (path) => {
      const data: Row[] = [];
      let target: string | undefined = `${path}${path.includes('?') ? '&' : '?'}limit=100`;
      while (target !== undefined) {
        const { data: some, next }: Page = await page(target);
        data.push(...some);
        target = next?.replace(/^.*\/api\/v1/, '');
      }
      return data;
    },
    refusal: async (path) => {
      const { json } = await get(path);
      return (json as { error: { status: number; message: string; code: string } }).error;
    },
  };
}
