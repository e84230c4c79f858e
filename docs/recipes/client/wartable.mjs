// A client of the Wartable API in one file: copy it. It runs on Node 20 or newer and in browsers.
//
//   const api = new Wartable({ baseUrl: 'https://api.example.org', key: 'svc_v1_…' });
//   for await (const { name } of api.tournaments.list({ status: 'ongoing' })) console.log(name);

const requestsAtOnce = 4;
const answersKept = 500;
const retries = 3;
const longestPause = 60; // seconds: a longer Retry-After is left to the caller

/** Everything that can go wrong. The codes of this file are NO_ANSWER, NOT_THE_API, REDIRECT and FOREIGN_NEXT. */
export class WartableError extends Error {
  constructor(message, { status = 0, code = 'NO_ANSWER', requestId = null, retryAfter = null } = {}) {
    super(message);
    Object.assign(this, { name: 'WartableError', status, code, requestId, retryAfter });
  }
}

export class Wartable {
  #base;
  #authorization; // private, so that nothing prints it
  #timeoutMs;
  #pageSize;
  #kept = new Map(); // address → { etag, text }, in the order of their last use
  #running = 0;
  #waiting = [];

  constructor({ baseUrl, key, timeoutSeconds = 20, pageSize = 100 }) {
    const url = URL.canParse(baseUrl) ? new URL(baseUrl) : {};
    if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
      throw new TypeError('baseUrl must be an address such as https://api.example.org');
    // fetch would print a key that is no header value.
    if (typeof key !== 'string' || !/^[!-~]+$/.test(key))
      throw new TypeError('key must be an API key, without spaces and line breaks');
    this.#base = url.origin + url.pathname.replace(/\/+$/, '');
    this.#authorization = `Bearer ${key}`;
    this.#timeoutMs = Math.round(timeoutSeconds * 1000);
    this.#pageSize = pageSize;
  }

  tournaments = {
    list: (options) => this.#rows(path`v1/tournaments`, options),
    get: (slug) => this.#data(path`v1/tournaments/${slug}`),
    standings: async (slug, options) => (await this.#standings(slug, options)).body,
    participants: (slug) => this.#rows(path`v1/tournaments/${slug}/participants`),
    battles: (slug) => this.#rows(path`v1/tournaments/${slug}/battles`),
    now: (slug) => this.#data(path`extra/v1/tournaments/${slug}/now`),
  };
  clubs = {
    get: (slug) => this.#data(path`v1/clubs/${slug}`),
    tournaments: (slug, options) => this.#rows(path`v1/clubs/${slug}/tournaments`, options),
    battles: (slug, options) => this.#rows(path`v1/clubs/${slug}/battles`, options),
  };
  players = {
    battles: (id, options) => this.#rows(path`v1/users/${id}/battles`, options),
    tournaments: (id, options) => this.#rows(path`extra/v1/players/${id}/tournaments`, options),
    opponents: async (id) => (await this.#get(this.#address(path`extra/v1/players/${id}/opponents`))).body,
  };
  factions = {
    list: async (options) => (await this.#get(this.#address(path`extra/v1/factions`, options))).body,
  };
  battles = { get: (id) => this.#data(path`v1/battles/${id}`) };
  search = (q, options) => this.#data(path`extra/v1/search`, { q, ...options });

  /**
   * Returns a page of what changed after a sequence number, with the documents of the `wanted` entries. An entry stays
   * pending until its document has its revision, or a later entry replaces it. Pass `after` and `pending` to the next
   * call.
   */
  async changes(after, { pending = [], wanted = () => true } = {}) {
    const query = { after, limit: this.#pageSize };
    const { body: page } = await this.#get(this.#address(path`extra/v1/changes`, query), true);
    const newest = new Map([...pending, ...page.data].map((entry) => [`${entry.kind} ${entry.key}`, entry]));
    const entries = [...newest.values()].filter((entry) => wanted(entry));
    const documents = await Promise.all(entries.map((entry) => this.#documentOf(entry)));
    const found = entries.map((entry, i) => ({ ...entry, document: documents[i] }));
    return {
      data: found.filter(({ document }) => document !== undefined),
      pending: entries.filter((_, i) => documents[i] === undefined),
      after: page.after,
      more: page.next !== null,
    };
  }

  /** Yields the standings at once and whenever they change. It goes on while the server is away. */
  async *watch(slug, { stage, everySeconds = 15, signal } = {}) {
    for (let shown = { etag: '', text: '' }; ;) {
      let pause = everySeconds;
      let answer = shown;
      try {
        answer = await this.#standings(slug, { stage });
      } catch (error) {
        // A proxy may say 404 while the server restarts.
        if (!isPassing(error) && !(shown.text && error.code === 'NOT_THE_API')) throw error;
        pause = Math.max(pause, error.retryAfter ?? 0);
      }
      // An instance that has not heard of the newest result yet sends older standings.
      const isOlder = revisionOf(answer) < revisionOf(shown);
      if (signal?.aborted) return;
      if (answer.text !== shown.text && !isOlder) yield (shown = answer).body;
      await sleep(pause);
    }
  }

  #standings(slug, options) {
    return this.#get(this.#address(path`v1/tournaments/${slug}/standings`, options));
  }

  async *#rows(target, options) {
    for (let next = this.#address(target, { ...options, limit: this.#pageSize }); next !== null;) {
      const { body: page } = await this.#get(next, true);
      yield* page.data;
      next = page.next === null ? null : this.#own(page.next);
    }
  }

  async #data(target, query) {
    return (await this.#get(this.#address(target, query))).body.data;
  }

  /** The document of a change, null when it is gone, undefined while the server does not know of the change. */
  async #documentOf({ kind, key, change, revision }) {
    try {
      const answer = await this.#get(this.#address(path`v1/${kind}s/${key}`));
      const isReached = change === 'gone' ? revisionOf(answer) > revision : revisionOf(answer) >= revision;
      return isReached ? answer.body.data : undefined;
    } catch (error) {
      if (error.code === 'NOT_FOUND') return change === 'gone' ? null : undefined;
      if (isPassing(error)) return undefined;
      throw error;
    }
  }

  #address(target, query = {}) {
    const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
    return `${this.#base}/api/${target}?${new URLSearchParams(given)}`.replace(/\?$/, '');
  }

  /** The key goes with every request, so `next` must not lead to anybody else. */
  #own(next) {
    const address = URL.canParse(next) ? new URL(next).href : '';
    if (address.startsWith(`${this.#base}/api/`)) return address;
    const message = `next is ${JSON.stringify(next)}, not below ${this.#base}/api/: is baseUrl its public address?`;
    throw new WartableError(message, { code: 'FOREIGN_NEXT' });
  }

  /** A request that waits before a retry keeps its turn: the server asked for fewer requests. */
  async #get(address, isList = false) {
    // fetch would leave such a key out, and read another endpoint.
    if (/^[^?]*\/\.\.?([/?]|$)/.test(address))
      throw new WartableError('Not found', { status: 404, code: 'NOT_FOUND' });
    if (this.#running < requestsAtOnce) this.#running += 1;
    else await new Promise((resolve) => this.#waiting.push(resolve));
    try {
      for (let tries = 0; ; tries += 1) {
        const answer = await this.#ask(address, isList).catch((error) => error);
        if (!(answer instanceof Error)) return answer;
        if (!isPassing(answer) || tries === retries || answer.retryAfter > longestPause) throw answer;
        const step = 2 ** tries / 4;
        await sleep((answer.retryAfter ?? step) + Math.random() * step);
      }
    } finally {
      if (this.#waiting.length > 0) this.#waiting.shift()();
      else this.#running -= 1;
    }
  }

  /** One request. The timeout covers the body, too. */
  async #ask(address, isList) {
    const held = this.#kept.get(address);
    const headers = { Authorization: this.#authorization, ...(held && { 'If-None-Match': held.etag }) };
    const signal = AbortSignal.timeout(this.#timeoutMs);
    let response, sent;
    try {
      response = await fetch(address, { headers, signal, redirect: 'manual', credentials: 'omit' });
      sent = await response.text();
    } catch (error) {
      throw new WartableError(`No complete answer: ${error.cause?.code ?? error.message}`);
    }
    const { status, type } = response;
    const requestId = response.headers.get('x-request-id');
    const about = { status, requestId, retryAfter: retryAfterOf(response.headers.get('retry-after')) };
    if (type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304))
      throw new WartableError('The API does not redirect: check baseUrl', { ...about, code: 'REDIRECT' });
    const { etag, text } = (status === 304 && held) || { etag: response.headers.get('etag'), text: sent };
    const body = await new Response(text).json().catch(() => null);
    const isWhole = isList ? Array.isArray(body?.data) && body.next !== undefined : body?.data;
    if ((status === 200 || status === 304) && isWhole) {
      this.#kept.delete(address);
      if (etag !== null) this.#kept.set(address, { etag, text });
      if (this.#kept.size > answersKept) this.#kept.delete(this.#kept.keys().next().value);
      return { etag, text, body: body.stage ? { kind: body.stage.type, ...body } : body };
    }
    if (body?.error?.code) throw new WartableError(body.error.message, { ...about, code: body.error.code });
    const code = status >= 400 && status < 500 ? 'NOT_THE_API' : 'NO_ANSWER';
    throw new WartableError(`This is not an answer of the API (status ${status})`, { ...about, code });
  }
}

const path = (parts, ...keys) => String.raw({ raw: parts }, ...keys.map(encodeURIComponent));
const revisionOf = ({ etag }) => Number(/^W\/"(\d+)\./.exec(etag)?.[1]);
const isPassing = ({ code, status }) => code === 'NO_ANSWER' || status === 429 || status >= 500;
const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** In seconds, at most a day: a timer that is too long fires at once. */
function retryAfterOf(given) {
  const seconds = /^\d+$/.test(given) ? Number(given) : (Date.parse(given) - Date.now()) / 1000;
  return seconds >= 0 ? Math.min(seconds, 86_400) : null;
}
