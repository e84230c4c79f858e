/**
 * The claim that a proof supports, for the table of evidence, and those who rely on it. Both are one line.
 */
interface Claim {
  /** The claim with its bar, if there is one. The proof fails if the claim is missed. */
  claim: string;
  reliedOnBy: string;
}

/** The proofs of `npm run prove`, in the order in which they run. */
export const claims = {
  conformance: {
    claim: 'The API does what every statement of the specification says',
    reliedOnBy: 'Whoever writes a client from the specification alone.',
  },
  fuzz: {
    claim: 'Requests made from openapi.json get only responses that it declares',
    reliedOnBy: 'Whoever generates a client from openapi.json.',
  },
  oracle: {
    claim: 'Boards, documents and factions equal those computed in plain SQL',
    reliedOnBy: 'Players, for their ranks, and statisticians, for their sums.',
  },
  walks: {
    claim: 'Paging neither skips nor repeats a row while results arrive',
    reliedOnBy: 'Callers who read a whole list of a running event.',
  },
  'cache-exact': {
    claim: 'No older answer follows a newer one; answers are at most 1 s old, or 5 s without notices',
    reliedOnBy: 'Callers who poll, and everybody who is affected by a correction.',
  },
  changes: {
    claim: 'A copy kept up to date only with `changes` equals the documents',
    reliedOnBy: 'Sites that mirror results as docs/api/following.md describes.',
  },
  'search-buffers': {
    claim: 'A search in 3 M rows reads at most 100 pages, and 10 more per hit',
    reliedOnBy: 'Operators of a large database: a search must stay cheap.',
  },
  'publish-speed': {
    claim: 'Publishing reaches at least 0.15 of the speed of a bare COPY',
    reliedOnBy: 'Operators who plan an upgrade with docs/upgrading.md.',
  },
  'publish-result': {
    claim: 'A result of a large event writes at most 20 rows, and costs at most 0.33 of deriving everything',
    reliedOnBy: 'Spectators at the end of a round of 500 tables.',
  },
  'import-speed': {
    claim: 'An import reaches at least 0.25 of the speed of a bare COPY',
    reliedOnBy: 'Operators who load the results of years.',
  },
  'import-memory': {
    claim: 'An import needs at most 400 MB for any feed',
    reliedOnBy: 'Operators who size a machine with docs/scale.md.',
  },
  'import-outage': {
    claim: 'No result is lost in a crash, in a failover or when the disk is full',
    reliedOnBy: 'Platforms that trust an acknowledgement.',
  },
  'in-step': {
    claim: 'A platform and Wartable stay equal while connections break',
    reliedOnBy: 'Platforms that send results as docs/platform.md describes.',
  },
  kills: {
    claim: 'A killed import, publisher, erasure or migration leaves nothing half done',
    reliedOnBy: 'Operators whose machine fails, and people who were erased.',
  },
  files: {
    claim: 'Files equal the database, and a killed run leaves them intact',
    reliedOnBy: 'Researchers who download everything.',
  },
  'convert-fuzz': {
    claim: 'Sheets with mistakes crash nothing; sheets that convert can be imported',
    reliedOnBy: 'Organisers, whose sheets are never clean.',
  },
  'convert-worlds': {
    claim: 'Sheets convert to the feed that they were made from',
    reliedOnBy: 'Organisers, whose events must look like those of a platform.',
  },
  preview: {
    claim: 'A preview follows its sheets, and a saved folder opens anywhere',
    reliedOnBy: 'Organisers without a server.',
  },
  'site-pages': {
    claim: 'Every `url` opens its page, links work, and files equal the API',
    reliedOnBy: 'Readers who follow a link, and users of spreadsheets.',
  },
  'site-look': {
    claim: 'Pages are accessible and fit every screen',
    reliedOnBy: 'Readers with a phone, a keyboard or a screen reader.',
  },
  'site-live': {
    claim: 'A page follows its event: "Now" within 15 s, the table within 45 s',
    reliedOnBy: 'Spectators who wait for a result.',
  },
  'site-hostile': {
    claim: 'Hostile texts run no code on a page',
    reliedOnBy: 'Readers of names that anybody could enter.',
  },
  'kept-pages': {
    claim: 'nginx requests a page at most twice per second; erased names vanish within 7 s',
    reliedOnBy: 'Operators of an event with thousands of phones.',
  },
  databases: {
    claim: 'No request fails when one of three databases does',
    reliedOnBy: 'Operators who run replicas as docs/high-availability.md describes.',
  },
  'hostile-callers': {
    claim: 'With hostile callers: at most 512 MB, no other caller refused, p99 at most 250 ms',
    reliedOnBy: 'Callers who share a server with a broken or hostile one.',
  },
  upgrade: {
    claim: 'Two versions answer side by side, and no request fails',
    reliedOnBy: 'Operators who upgrade while callers ask.',
  },
  'rolling-restart': {
    claim: 'A rolling restart behind Caddy and nginx loses no request',
    reliedOnBy: 'Operators who restart servers as docs/install.md describes.',
  },
  restore: {
    claim: 'The steps of backups.md bring back the same answers',
    reliedOnBy: 'Operators on their worst day.',
  },
  'install-debian': {
    claim: 'install.md works in a fresh Debian, word for word',
    reliedOnBy: 'Operators who install for the first time.',
  },
  image: {
    claim: 'The image is at most 300 MB large and works',
    reliedOnBy: 'Operators who use docs/install-image.md.',
  },
  release: {
    claim: 'A release installs exactly what the lock file has, and runs',
    reliedOnBy: 'Whoever downloads a release, and tries the demo.',
  },
} as const satisfies Record<string, Claim>;

export type ProofName = keyof typeof claims;
