/** Where a server of a test listens: on loopback, on ports that are free, and it ends at once. */
export const onLoopback = {
  apiHost: '127.0.0.1',
  apiPort: 0,
  siteHost: '127.0.0.1',
  sitePort: 0,
  siteUrl: 'https://wartable.example',
  opsHost: '127.0.0.1',
  opsPort: 0,
  drainSeconds: 0,
};
