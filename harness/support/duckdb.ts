import { DuckDBInstance } from '@duckdb/node-api';

/** Lends DuckDB, in memory, with a folder as its working directory for reading. */
export async function withDuckDB<T>(
  work: (run: (sql: string) => Promise<Record<string, unknown>[]>) => Promise<T>,
  folder: string,
): Promise<T> {
  // Memory and threads are limited because other tests run at the same time.
  const instance = await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: '1GB' });
  const connection = await instance.connect();
  try {
    await connection.run(`set file_search_path = '${folder}'`);
    return await work(async (sql) => {
      const reader = await connection.runAndReadAll(sql);
      return reader.getRowObjectsJson();
    });
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
