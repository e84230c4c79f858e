import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, type Look, openWebSocket } from './browser.ts';

/** The part of a browser that both engines have. */
export type AnyBrowser = Pick<Browser, 'open' | 'evaluate' | 'look' | 'complaints' | 'requested' | 'close'>;

const program = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find(existsSync);

/**
 * Starts Firefox, controlled over WebDriver BiDi, or returns undefined where it is missing. The scheme is fixed
 * because Firefox reads it from its profile.
 */
export async function startFirefox(scheme: Look['scheme']): Promise<AnyBrowser | undefined> {
  if (program === undefined) return undefined;
  const profile = await mkdtemp(path.join(tmpdir(), 'wartable-firefox-'));
  const preferences = {
    'layout.css.prefers-color-scheme.content-override': scheme === 'dark' ? 0 : 1,
    'app.update.enabled': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
    'services.settings.server': 'data:,',
  };
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  await writeFile(path.join(profile, 'user.js'), lines.join(''));
  const child = spawn(
    program,
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0', 'about:blank'],
    // Its children belong to the same group, so that all of them can be ended together.
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true, env: { ...process.env, HOME: profile } },
  );
  const close = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    await ended;
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    return { ...(await openContext(await listeningAddress(child), scheme)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function listeningAddress(child: ChildProcess): Promise<string> {
  let text = '';
  return new Promise((resolve, reject) => {
    child.stderr?.on('data', (chunk) => {
      text += String(chunk);
      const address = /BiDi listening on (ws:\/\/\S+)/.exec(text)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.once('exit', () => reject(new Error(`Firefox ended: ${text}`)));
  });
}

interface Message {
  id?: number;
  type: 'success' | 'error' | 'event';
  method?: string;
  params?: { level?: string; text?: string; request?: { url: string } };
  result?: Record<string, unknown>;
  message?: string;
}

async function openContext(address: string, scheme: Look['scheme']): Promise<Omit<AnyBrowser, 'close'>> {
  const socket = await openWebSocket(`${address}/session`);
  const waiting = new Map<number, (message: Message) => void>();
  const complaints: string[] = [];
  const requested: string[] = [];
  socket.addEventListener('message', (event) => {
    const message = JSON.parse(String(event.data)) as Message;
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    const { level, text, request } = message.params ?? {};
    if (message.method === 'log.entryAdded' && level === 'error') complaints.push(text ?? '');
    if (message.method === 'network.beforeRequestSent') requested.push(request?.url ?? '');
  });
  let lastId = 0;
  const call = async (method: string, params: object): Promise<Record<string, unknown>> => {
    lastId += 1;
    const id = lastId;
    const answered = new Promise<Message>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const { type, result, message } = await answered;
    if (type === 'error') throw new Error(`${method}: ${message}`);
    return result ?? {};
  };
  await call('session.new', { capabilities: {} });
  const { contexts } = (await call('browsingContext.getTree', {})) as { contexts: { context: string }[] };
  const context = contexts[0]?.context;
  await call('session.subscribe', { events: ['log.entryAdded', 'network.beforeRequestSent'] });
  return {
    complaints,
    requested,
    open: async (url) => void (await call('browsingContext.navigate', { context, url, wait: 'complete' })),
    look: async ({ width, height = 900, scheme: wanted }) => {
      if (wanted !== scheme) throw new Error(`this Firefox is ${scheme}`);
      await call('browsingContext.setViewport', { context, viewport: { width, height } });
    },
    evaluate: async (expression) => {
      const { result, exceptionDetails } = (await call('script.evaluate', {
        expression,
        target: { context },
        awaitPromise: true,
      })) as { result?: { value?: unknown }; exceptionDetails?: { text: string } };
      if (exceptionDetails) throw new Error(exceptionDetails.text);
      return result?.value;
    },
  };
}
