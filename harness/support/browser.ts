import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A page in a real browser, controlled over the DevTools protocol. */
export interface Browser {
  open: (url: string) => Promise<void>;
  evaluate: (expression: string) => Promise<unknown>;
  /** Returns a PNG of what is visible, or of the whole page. */
  screenshot: (extent?: 'visible' | 'whole') => Promise<Buffer>;
  /** Returns a PDF of the page as it would be printed. */
  print: () => Promise<Buffer>;
  /** Sets the look from the next page on. */
  look: (look: Look) => Promise<void>;
  /** Lets pages run code that their policy forbids, to show that there is none. */
  ignorePolicies: () => Promise<void>;
  /** Every address that the page requested, whether allowed or not. */
  requested: string[];
  /** The status of every answer that the page received. */
  statuses: { url: string; status: number }[];
  /** Script errors, and violations of the page's policy. */
  complaints: string[];
  close: () => Promise<void>;
}

export interface Look {
  width: number;
  height?: number;
  scheme: 'light' | 'dark';
  media?: 'print';
}

const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

/** The reason why a test that needs a browser is skipped, or false if it runs. */
export const withoutBrowser: string | false =
  program === undefined ? 'there is no Chromium on this machine' : false;

export async function startBrowser(): Promise<Browser | undefined> {
  if (program === undefined) return undefined;
  const folder = await mkdtemp(path.join(tmpdir(), 'wartable-browser-'));
  const child = spawn(program, [...flags, `--user-data-dir=${folder}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const close = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    return { ...(await openPage(await debuggingAddress(child))), close };
  } catch (error) {
    await close();
    throw error;
  }
}

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--window-size=1280,900',
  '--remote-debugging-port=0',
];

async function debuggingAddress(child: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    child.stderr?.on('data', (chunk) => {
      said += String(chunk);
      const address = /DevTools listening on ws:\/\/([^/]+)/.exec(said)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.once('exit', () => reject(new Error(`the browser ended: ${said}`)));
  });
}

interface Message {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { message: string };
}

async function openPage(address: string): Promise<Omit<Browser, 'close'>> {
  const pages = (await (await fetch(`http://${address}/json`)).json()) as {
    type: string;
    webSocketDebuggerUrl: string;
  }[];
  const socket = await openWebSocket(pages.find(({ type }) => type === 'page')?.webSocketDebuggerUrl ?? '');
  const waiting = new Map<number, (message: Message) => void>();
  const requested: string[] = [];
  const complaints: string[] = [];
  const statuses: Browser['statuses'] = [];
  socket.addEventListener('message', (event) => {
    const message = JSON.parse(String(event.data)) as Message;
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    const params = message.params as
      | {
          request?: { url: string };
          response?: { url: string; status: number };
          entry?: { level: string; text: string };
          exceptionDetails?: object;
        }
      | undefined;
    if (message.method === 'Network.requestWillBeSent') requested.push(params?.request?.url ?? '');
    if (message.method === 'Network.responseReceived' && params?.response !== undefined)
      statuses.push({ url: params.response.url, status: params.response.status });
    if (message.method === 'Log.entryAdded' && params?.entry?.level === 'error')
      complaints.push(params.entry.text);
    if (message.method === 'Runtime.exceptionThrown')
      complaints.push(JSON.stringify(params?.exceptionDetails));
  });

  let lastId = 0;
  const call = async (method: string, params: object = {}): Promise<Record<string, unknown>> => {
    lastId += 1;
    const id = lastId;
    const answered = new Promise<Message>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const { result, error } = await answered;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  };
  for (const domain of ['Network', 'Log', 'Runtime', 'Page']) await call(`${domain}.enable`);
  // No window is in front, so `:focus` would match nothing.
  await call('Emulation.setFocusEmulationEnabled', { enabled: true });
  let loaded: (() => void) | undefined;
  socket.addEventListener('message', (event) => {
    if ((JSON.parse(String(event.data)) as Message).method === 'Page.loadEventFired') loaded?.();
  });
  return {
    requested,
    statuses,
    complaints,
    open: async (url) => {
      const isLoaded = new Promise<void>((resolve) => (loaded = resolve));
      await call('Page.navigate', { url });
      await isLoaded;
    },
    look: async ({ width, height = 900, scheme, media = '' }) => {
      await call('Emulation.setDeviceMetricsOverride', {
        width,
        height,
        deviceScaleFactor: 1,
        mobile: width < 600,
      });
      await call('Emulation.setEmulatedMedia', {
        media,
        features: [{ name: 'prefers-color-scheme', value: scheme }],
      });
    },
    ignorePolicies: async () => void (await call('Page.setBypassCSP', { enabled: true })),
    evaluate: async (expression) => {
      const { result } = await call('Runtime.evaluate', { expression, awaitPromise: true });
      return (result as { value?: unknown } | undefined)?.value;
    },
    print: async () => {
      const { data } = await call('Page.printToPDF', { preferCSSPageSize: true });
      return Buffer.from(String(data), 'base64');
    },
    screenshot: async (extent = 'visible') => {
      const { data } = await call('Page.captureScreenshot', {
        format: 'png',
        captureBeyondViewport: extent === 'whole',
      });
      return Buffer.from(String(data), 'base64');
    },
  };
}

export async function openWebSocket(address: string): Promise<WebSocket> {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  return socket;
}

/** Builds an expression for `evaluate` that returns the texts of these elements as a person reads them. */
export const textsOf = (selector: string): string =>
  `[...document.querySelectorAll('${selector}')].map((each) => each.innerText.replaceAll(/\\s+/g, ' ').trim()).join(' | ')`;
