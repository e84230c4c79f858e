/** A test server listens on loopback, on free ports, and ends at once. */
export const onLoopback = {
  apiHost: '127.0.0.1',
  apiPort: 0,
  siteHost: '127.0.0.1',
  sitePort: 0,
  siteUrl: 'https://wartable.example',
  sitePages: true,
  opsHost: '127.0.0.1',
  opsPort: 0,
  cacheMegabytes: 64,
  drainSeconds: 0,
};
