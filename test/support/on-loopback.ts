/** A test server listens on loopback, on free ports, and ends at once. */
export const onLoopback = {
  apiHost: '127.0.0.1',
  apiPort: 0,
  siteHost: '127.0.0.1',
  sitePort: 0,
  apiUrl: undefined,
  siteUrl: 'https://wartable.example',
  termsUrl: undefined,
  contactUrl: undefined,
  rateLimit: undefined,
  redisUrl: undefined,
  sitePages: true,
  embed: true,
  opsHost: '127.0.0.1',
  opsPort: 0,
  /** `npm test -- --cold` sets 0. */
  inFlightMegabytes: 64,
  maxConnections: 10_000,
  trustProxy: [],
  cacheMegabytes: Number(process.env['TEST_CACHE_MB'] ?? 64),
  drainSeconds: 0,
};
