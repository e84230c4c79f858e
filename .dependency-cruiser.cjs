// Imports run one way: demo → commands → {doctor, serve}; serve → {api, site} → read → http, and all → {contract, database, text}.
// ARCHITECTURE.md shows the house.
// Each rule names a folder and what it may import; everything else under src/ is forbidden to it.
const mayImport = (folder, allowed) => ({
  name: `${folder}-imports-only-${['itself', ...allowed].join('-')}`.replaceAll('/', '-'),
  severity: 'error',
  from: { path: `^src/${folder}/` },
  to: { path: '^src/', pathNot: [folder, ...allowed].map((name) => `^src/${name}(/|\\.ts$)`) },
});

const tests = '\\.test\\.ts$';

module.exports = {
  forbidden: [
    mayImport('contract', []),
    mayImport('database', []),
    mayImport('text', []),
    mayImport('audit', ['database']),
    mayImport('keys', ['audit', 'contract', 'database']),

    mayImport('record', ['audit', 'contract', 'database', 'text']),
    mayImport('record/feed', ['contract']),
    mayImport('record/facts', ['record/feed', 'record/columns', 'record/tables', 'database']),
    mayImport('record/people', [
      'record/columns',
      'record/tables',
      'record/stale',
      'audit',
      'database',
      'text',
    ]),
    mayImport('record/stale', ['database']),
    mayImport('record/export', [
      'record/facts',
      'record/feed',
      'record/columns',
      'record/tables',
      'database',
    ]),
    mayImport('record/compare', [
      'record/export',
      'record/facts',
      'record/feed',
      'record/columns',
      'record/tables',
      'record/write',
      'database',
    ]),

    mayImport('world', ['record/feed', 'contract']),
    mayImport('convert', ['record/feed', 'contract', 'text']),

    mayImport('publish', ['record/facts', 'record/stale', 'record/feed', 'contract', 'database', 'text']),
    mayImport('publish/derive', ['record/facts', 'contract', 'text']),

    mayImport('http', ['contract', 'database/time-limit', 'database/unavailable']),
    mayImport('read', ['publish/published-notice', 'http', 'contract', 'database', 'text']),
    mayImport('files', ['read', 'contract', 'database', 'text']),
    mayImport('api', ['read', 'http', 'keys', 'contract', 'database']),
    mayImport('site', [
      'publish/derive/factions/faction-sums',
      'publish/derive/now/play-shape',
      'read',
      'http',
      'contract',
      'database',
      'text',
    ]),
    mayImport('serve', ['api', 'site', 'read', 'http', 'keys', 'contract', 'database', 'config']),

    mayImport('doctor', ['record/facts', 'record/stale', 'publish', 'contract', 'database', 'config']),
    mayImport('commands', [
      'record',
      'publish',
      'serve',
      'keys',
      'world',
      'convert',
      'files',
      'doctor',
      'audit',
      'contract',
      'database',
      'config',
    ]),
    mayImport('demo', [
      'commands',
      'publish',
      'record',
      'serve',
      'keys',
      'world',
      'contract',
      'database',
      'config',
    ]),
    mayImport('config', ['contract', 'database']),
    {
      name: 'publish-and-world-import-only-types-of-the-feed',
      severity: 'error',
      from: { path: '^src/(publish|world)/', pathNot: tests },
      to: { path: '^src/record/feed/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'derive-imports-only-types-of-the-facts',
      severity: 'error',
      from: { path: '^src/publish/derive/', pathNot: tests },
      to: { path: '^src/record/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'derive-feed-and-convert-know-no-database',
      severity: 'error',
      from: { path: '^src/(publish/derive|record/feed|convert)/', pathNot: tests },
      to: { path: 'node_modules/(@types/)?pg/' },
    },
    {
      name: 'commands-are-imported-by-the-command-line-only',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(commands|demo)/', '^src/cli\\.ts$'] },
      to: { path: '^src/(commands|demo)/' },
    },
    {
      name: 'src-imports-no-test',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: { path: ['^(test|scripts|bench)/', tests] },
    },
    {
      name: 'tests-beside-sources-need-no-postgres',
      comment: '`npm run test:unit` runs them. A test that needs a database belongs below test/.',
      severity: 'error',
      from: { path: `^src/.*${tests}` },
      to: { path: ['^test/support/(database|on-server)', '^scripts/postgres'] },
    },
    {
      name: 'bench-imports-only-scripts-proofs-installs-and-rooms',
      severity: 'error',
      from: { path: '^bench/' },
      to: {
        path: '^(src/(commands|doctor|serve|site|publish/(?!published-notice)|convert)|test/(?!proofs|support|install))',
      },
    },
    {
      name: 'scripts-import-no-bench',
      comment: 'bench/ is built on scripts/. What both need belongs into scripts/.',
      severity: 'error',
      from: { path: '^scripts/' },
      to: { path: '^bench/' },
    },
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-development-dependency-in-src',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
