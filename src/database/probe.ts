import pg from 'pg';
import { isAnswer } from './health.ts';

/**
 * Returns whether a new connection to the database works. It does not use a connection from a pool, because
 * those may all be waiting for an answer. A refused login or a full server is an answer, too.
 */
export async function probe(url: string, closing: AbortSignal): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, application_name: 'wartable-probe' });
  client.on('error', () => {});
  const { promise: tooLate, resolve: giveUp } = Promise.withResolvers<false>();
  const stop = () => giveUp(false);
  const timer = setTimeout(stop, timeoutMs);
  closing.addEventListener('abort', stop, { once: true });
  const answers = await Promise.race([tooLate, ask(client)]);
  clearTimeout(timer);
  closing.removeEventListener('abort', stop);
  if (answers) void client.end();
  // A graceful end would wait for the other side.
  else client.connection.stream.destroy();
  return answers;
}

async function ask(client: pg.Client): Promise<boolean> {
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch (error) {
    return isAnswer(error);
  }
}

const timeoutMs = 600;
