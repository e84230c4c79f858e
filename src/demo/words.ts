export interface Running {
  apiUrl: string;
  siteUrl: string;
  key: string;
  /** The slug of the event that is being played. */
  slug: string;
}

/**
 * Returns the text that the demo prints when it is ready. Each request works when it is pasted: on Windows
 * into cmd or PowerShell, and elsewhere into a shell. There the text fits into 80 columns, except for the
 * address of the event.
 */
export function welcome(
  running: Running,
  isThrowaway: boolean,
  isOnWindows = process.platform === 'win32',
): string {
  const { apiUrl, siteUrl, key, slug } = running;
  // PowerShell has a `curl` of its own, and neither terminal continues a line after a backslash.
  const [program, nextLine] = isOnWindows ? ['curl.exe', ''] : ['curl', '\\\n  '];
  const curl = (path: string) =>
    `${program} -H "Authorization: Bearer ${key}" ${nextLine}"${apiUrl}/api/v1${path}"\n`;
  return `
An event is being played now. Its page updates itself:

  ${siteUrl}/tournaments/${slug}

Paste into another terminal:

${[`/tournaments/${slug}/standings`, `/tournaments/${slug}/battles?limit=3`, '/tournaments?status=ongoing&limit=5'].map(curl).join('\n')}
The API reference is at ${siteUrl}/reference/, and the guides
are at ${siteUrl}/docs. To try their samples${isOnWindows ? ' in Git Bash' : ''}, set:

  export API=${apiUrl}
  export KEY=${key}

${isThrowaway ? 'Ctrl-C ends the demo and deletes the data.' : 'Ctrl-C ends the demo. The invented results stay in your database.'}
`;
}

export const nextEventLine = (siteUrl: string, slug: string): string =>
  `The next event begins: ${siteUrl}/tournaments/${slug}`;

export const farewell = (isThrowaway: boolean): string =>
  isThrowaway ? '\nThe demo has ended. Its data is deleted.' : '\nThe demo has ended.';
