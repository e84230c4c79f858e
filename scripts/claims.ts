/** What a proof shows, for the table of evidence. */
interface Claim {
  claim: string;
  /** What its figure must keep to. Without one, a single exception fails the proof. */
  bar?: string;
  /** Which of its figures the table shows: the first when not given. The JSON has all. */
  shown?: readonly number[];
}

/** The proofs of `npm run prove`, in its order. */
export const claims = {
  'in-step': { claim: 'A platform and Wartable stay equal while what is between them is killed' },
  'import-kill': { claim: 'A killed import leaves each thing wholly old or wholly new' },
  'import-outage': {
    claim: 'An import through outages records the same as a calm one',
    bar: 'writer blocked at most 3 s longer than the outage',
    shown: [0, 1],
  },
  'import-speed': {
    claim: 'An import compared with a bare COPY',
    bar: 'at least 0.25 of its speed',
    shown: [1],
  },
  'import-memory': { claim: 'Memory of an import does not grow with the feed', bar: 'at most 400 MB' },
  'convert-fuzz': { claim: 'Sheets with mistakes crash nothing, and what is converted is imported' },
  'convert-worlds': { claim: 'Sheets say the same as the feed that they were made from' },
  'publish-kill': { claim: 'A killed publisher leaves each thing wholly old or wholly new' },
  'publish-result': {
    claim: 'One result is cheap to publish in a large tournament',
    bar: 'at most 0.08 of the whole tournament',
  },
  'publish-speed': {
    claim: 'Publishing compared with a bare COPY, and after an upgrade',
    bar: 'at least 0.15 of its speed',
    shown: [0, 2, 3],
  },
  'search-buffers': {
    claim: 'A search reads few pages at any size',
    bar: 'after VACUUM at most 100 buffers to find, and 10 for each hit of a full page',
  },
  'erase-kill': { claim: 'A killed erasure leaves a person wholly there or wholly erased' },
  'world-size': { claim: 'A million battles from a pipe to published', shown: [1] },
  files: {
    claim: 'Files of everything equal the database, and a killed run leaves them whole',
    bar: 'peak memory of 100,000 battles at most 1.2 of that of 10,000',
    shown: [0, 1, 2],
  },
  oracle: { claim: 'Standings and documents agree with an oracle in plain SQL' },
  factions: { claim: 'The numbers of factions agree with an oracle in plain SQL' },
  'every-value-occurs': { claim: 'Every value of the contract occurs in answers' },
  conformance: { claim: 'Every statement of the specification is kept' },
  fuzz: { claim: 'Requests made from openapi.json get only what it declares' },
  'boards-over-http': { claim: 'Boards can be recomputed from participants and battles' },
  walks: { claim: 'Paging neither skips nor repeats while results arrive' },
  crowd: { claim: 'A crowd gets answers and no refusals', shown: [0, 1, 2] },
  'cache-exact': {
    claim: 'No server sends an older answer after a newer one',
    bar: 'under 1 s old with notices, under 5 s without',
    shown: [1],
  },
  changes: {
    claim: 'A copy that is kept only by `changes` and the API equals the published documents',
    bar: 'an entry at most 1 s after its commit (p99)',
    shown: [0, 1],
  },
  upgrade: {
    claim: 'Two versions answer side by side during an upgrade',
    bar: 'at least 10,000 requests, 0 failed',
  },
  restore: { claim: 'The steps of backups.md bring back the same answers' },
  'site-pages': { claim: 'Every `url` opens its page', shown: [0, 1] },
  'site-files': { claim: 'Files for spreadsheets equal the answers of the API' },
  'site-look': { claim: 'Pages are accessible and fit every screen' },
  'site-live': {
    claim: 'A page follows its event by itself',
    bar: 'in "Now" within 15 s, in the table within 45 s',
  },
  'site-hostile': { claim: 'Hostile texts run no code on a page' },
  'install-debian': {
    claim: 'install.md works in a fresh Debian, word for word',
    bar: 'exposure at most 1.5 of 10',
    shown: [0, 1],
  },
  'rolling-restart': { claim: 'A rolling restart behind Caddy and nginx loses no request', shown: [0, 1] },
  'kept-pages': {
    claim: 'An nginx that keeps pages for two seconds carries the spectators',
    bar: 'two requests a second for a page; an erased name gone after 7 s',
    shown: [0, 1],
  },
  release: { claim: 'The files of a release can be made, checked and installed' },
  demo: { claim: 'The demo works in an empty folder', bar: 'knockout within 180 s', shown: [1] },
  'one-club': { claim: 'One club fits on one core', bar: 'at most 700 MB in all' },
  'first-minute': { claim: 'From `git clone` to the first answer', bar: 'at most 60 s' },
  image: { claim: 'The image is small and starts from empty volumes', bar: 'at most 300 MB', shown: [0, 1] },
} as const satisfies Record<string, Claim>;

export type ProofName = keyof typeof claims;

export function claimOf(name: string): Claim {
  return (claims as Record<string, Claim>)[name] ?? { claim: name };
}
