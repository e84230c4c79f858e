const { innerRooms, narrowerRooms, rooms } = require('./scripts/rooms.ts');

// scripts/rooms.ts says which room may import which; ARCHITECTURE.md shows them. Each room gets a rule, and everything
// else under the same folder is forbidden to it.
const mayImport = (folder, name, allowed, exempt = '^$') => ({
  name: `${folder}/${name}-imports-only-its-rooms`.replaceAll('/', '-').replace(/^src-/, ''),
  severity: 'error',
  from: { path: `^${folder}/${name}(/|\\.ts$)`, pathNot: exempt },
  to: {
    path: `^${folder}/`,
    pathNot: [name, ...allowed].map((room) => `^${folder}/${room}(/|\\.ts$|\\.test\\.ts$)`),
  },
});
const rulesOf = (folder, table, exempt) =>
  Object.entries(table).map(([name, allowed]) => mayImport(folder, name, allowed, exempt));

const tests = '\\.test\\.ts$';

module.exports = {
  forbidden: [
    ...rulesOf('src', rooms),
    ...Object.entries(innerRooms).flatMap(([room, table]) => rulesOf(`src/${room}`, table, tests)),
    // What a part of a room may not import although the whole room may.
    ...Object.entries(narrowerRooms).map(([room, allowed]) => mayImport('src', room, allowed)),
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
      // The digest of results must be that of the import.
      to: {
        path: '^src/record/',
        pathNot: '^src/record/facts/results-digest\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
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
      from: { path: '^src/', pathNot: ['^src/(commands|throwaway|demo|preview)/', '^src/cli\\.ts$'] },
      to: { path: '^src/(commands|throwaway|demo|preview)/' },
    },
    {
      name: 'src-imports-no-test',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: { path: ['^(harness|test|scripts|bench)/', tests] },
    },
    {
      name: 'tests-beside-sources-need-no-postgres',
      comment: '`npm run test:unit` runs them. A test that needs a database belongs below test/.',
      severity: 'error',
      from: { path: `^src/.*${tests}` },
      to: { path: ['^harness/support/(database|on-server|postgres)'] },
    },
    {
      name: 'harness-imports-only-src',
      comment: 'harness/ has what tests, proofs, scripts and measurements share.',
      severity: 'error',
      from: { path: '^harness/' },
      to: { path: '^(test|scripts|bench)/' },
    },
    {
      name: 'scripts-import-only-harness-and-src',
      severity: 'error',
      from: { path: '^scripts/' },
      to: { path: '^(test|bench)/' },
    },
    {
      name: 'bench-imports-no-test-and-few-rooms',
      severity: 'error',
      from: { path: '^bench/' },
      to: {
        path: '^(src/(commands|doctor|serve|site|publish/(?!publisher|mark-all)|convert)|test)/',
      },
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
