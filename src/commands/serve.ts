import closeWithGrace from 'close-with-grace';
import { Command } from 'commander';
import { readConfig } from '../config/config.ts';
import { CannotRun } from '../failures/explain.ts';
import { addExamples } from './help/examples.ts';

export const serveCommand = new Command('serve')
  .description('serve the API until SIGTERM or SIGINT, then drain')
  .action(async () => {
    const config = readConfig(process.env);
    if (config.cursorSecrets.length === 0) {
      throw new CannotRun(
        'CURSOR_SECRETS is not set: set it to the output of `openssl rand -hex 32`, the same on every instance.',
      );
    }
    if (config.siteUrl === undefined && isPublic(config.apiUrl)) {
      throw new CannotRun(
        'SITE_URL is not set, but API_URL is a public address: set SITE_URL to the public address of the site, because every `url` begins with it.',
      );
    }
    // Loaded only now, because the server's packages would delay the start of every other command.
    const [{ createLogger }, { tellUntilReady }, { startServer }] = await Promise.all([
      import('../serve/log.ts'),
      import('../serve/readiness.ts'),
      import('../serve/server.ts'),
    ]);
    const logger = createLogger(config.logLevel);
    const server = await startServer(config, logger);
    const { apiUrl: api, siteUrl: site } = server.public;
    logger.info({ api, site, ops: server.opsUrl }, 'serving');
    const ending = new AbortController();
    closeWithGrace({ delay: config.drainSeconds * 1_000 + 15_000, logger }, async ({ signal, err }) => {
      if (err !== undefined) logger.fatal({ err }, 'ending after an uncaught error');
      else logger.info({ signal }, 'draining');
      ending.abort();
      await server.close();
      logger.info('ended');
    });
    await tellUntilReady({ notReady: server.notReady, logger }, ending.signal);
  });

addExamples(
  serveCommand,
  ['Serve on the usual ports', 'CURSOR_SECRETS=$(openssl rand -hex 32) wartable serve'],
  [
    'Serve for a proxy on another machine, with pages at a public address',
    'export CURSOR_SECRETS=$(openssl rand -hex 32)',
    'export API_URL=https://api.example.org SITE_URL=https://example.org',
    'API_HOST=0.0.0.0 SITE_HOST=0.0.0.0 wartable serve',
  ],
);

/**
 * Returns true if callers elsewhere can reach the API, in which case a `url` on localhost would be wrong for
 * them.
 */
function isPublic(apiUrl: string | undefined): boolean {
  if (apiUrl === undefined) return false;
  return !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(apiUrl).hostname);
}
