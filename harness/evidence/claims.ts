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
    claim: 'Every statement of the specification is kept',
    reliedOnBy: 'Whoever writes a client from the specification alone.',
  },
  fuzz: {
    claim: 'Requests made from openapi.json get only what it declares',
    reliedOnBy: 'Whoever generates a client from openapi.json.',
  },
  oracle: {
    claim: 'Boards, documents and factions equal an oracle in plain SQL',
    reliedOnBy: 'Players, for their rank, and statisticians, for their sums.',
  },
  walks: {
    claim: 'Paging neither skips nor repeats while results arrive',
    reliedOnBy: 'Callers who read a whole list of a running event.',
  },
  'cache-exact': {
    claim: 'No older answer after a newer one; fresh within 1 s, deaf 5 s',
    reliedOnBy: 'Callers who poll, and everybody whom a correction concerns.',
  },
  changes: {
    claim: 'A copy kept only by `changes` equals the documents',
    reliedOnBy: 'Sites that mirror results by docs/api/following.md.',
  },
  'search-buffers': {
    claim: 'A search in 3 M rows reads 100 pages, 10 more a hit',
    reliedOnBy: 'Operators of a large database: a search must stay cheap.',
  },
  'publish-speed': {
    claim: 'Publishing reaches at least 0.15 of a bare COPY',
    reliedOnBy: 'Operators who plan an upgrade by docs/upgrading.md.',
  },
  'publish-result': {
    claim: 'One result costs at most 0.08 of its large tournament',
    reliedOnBy: 'Spectators at the end of a round of 500 tables.',
  },
  'import-speed': {
    claim: 'An import reaches at least 0.25 of a bare COPY',
    reliedOnBy: 'Operators who load the results of years.',
  },
  'import-memory': {
    claim: 'An import needs at most 400 MB for any feed',
    reliedOnBy: 'Operators who size a machine by docs/scale.md.',
  },
  'import-outage': {
    claim: 'No result is lost in a crash, a failover, a full disk',
    reliedOnBy: 'Platforms that trust an acknowledgement.',
  },
  'in-step': {
    claim: 'A platform and Wartable stay equal while links break',
    reliedOnBy: 'Platforms that send by docs/platform.md.',
  },
  kills: {
    claim: 'A killed import, publisher, erasure or migration leaves no half',
    reliedOnBy: 'Operators whose machine fails, and people who were erased.',
  },
  files: {
    claim: 'Files equal the database; a killed run leaves them whole',
    reliedOnBy: 'Researchers who download everything.',
  },
  'convert-fuzz': {
    claim: 'Sheets with mistakes crash nothing; what converts is imported',
    reliedOnBy: 'Organisers, whose sheets are never clean.',
  },
  'convert-worlds': {
    claim: 'Sheets say the same as the feed they were made from',
    reliedOnBy: 'Organisers, whose events must look like those of a platform.',
  },
  preview: {
    claim: 'A preview follows its sheets; a saved folder opens anywhere',
    reliedOnBy: 'Organisers without a server.',
  },
  'site-pages': {
    claim: 'Every `url` opens its page, files equal the API, links work',
    reliedOnBy: 'Readers who follow a link, and users of spreadsheets.',
  },
  'site-look': {
    claim: 'Pages are accessible and fit every screen',
    reliedOnBy: 'Readers with a phone, a keyboard or a screen reader.',
  },
  'site-live': {
    claim: 'A page follows its event: "Now" in 15 s, table in 45 s',
    reliedOnBy: 'Spectators who wait for a result.',
  },
  'site-hostile': {
    claim: 'Hostile texts run no code on a page',
    reliedOnBy: 'Readers of names that anybody could enter.',
  },
  'kept-pages': {
    claim: 'nginx asks twice a second for a page; erased within 7 s',
    reliedOnBy: 'Operators of an event with thousands of phones.',
  },
  databases: {
    claim: 'No request fails when one of three databases does',
    reliedOnBy: 'Operators who run replicas by docs/high-availability.md.',
  },
  'hostile-callers': {
    claim: 'Beside hostile callers: 512 MB, none refused, p99 250 ms',
    reliedOnBy: 'Callers beside a broken or hostile one.',
  },
  upgrade: {
    claim: 'Two versions answer side by side without a failure',
    reliedOnBy: 'Operators who upgrade while callers ask.',
  },
  'rolling-restart': {
    claim: 'A rolling restart behind Caddy and nginx loses no request',
    reliedOnBy: 'Operators who restart by docs/install.md.',
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
    claim: 'The image has at most 300 MB and works',
    reliedOnBy: 'Operators who use docs/install-image.md.',
  },
  release: {
    claim: 'A release installs what the lock file has, nothing newer, and runs',
    reliedOnBy: 'Whoever downloads a release, and tries the demo.',
  },
} as const satisfies Record<string, Claim>;

export type ProofName = keyof typeof claims;
