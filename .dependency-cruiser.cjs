// Imports run one way: commands → {record, publish, serve, keys, world} → {contract, database}.
// Each rule names a folder and what it may import; everything else under src/ is forbidden to it.
const mayImport = (folder, allowed) => ({
  name: `${folder}-imports-only-${['itself', ...allowed].join('-')}`,
  severity: 'error',
  from: { path: `^src/${folder}/` },
  to: { path: '^src/', pathNot: [folder, ...allowed].map((name) => `^src/${name}(/|\\.ts$)`) },
});

module.exports = {
  forbidden: [
    mayImport('contract', []),
    mayImport('database', []),
    mayImport('keys', ['contract', 'database']),
    mayImport('record', ['contract', 'database']),
    mayImport('world', ['record', 'contract']),
    mayImport('publish', ['record', 'contract', 'database']),
    mayImport('serve', ['keys', 'contract', 'database']),
    mayImport('commands', ['record', 'publish', 'serve', 'keys', 'world', 'contract', 'database', 'config']),
    {
      name: 'world-imports-only-the-types-of-the-feed',
      severity: 'error',
      from: { path: '^src/world/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/record/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nobody-imports-commands',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/commands/', '^src/cli\\.ts$'] },
      to: { path: '^src/commands/' },
    },
    {
      name: 'src-imports-no-test',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: { path: ['^test/', '\\.test\\.ts$'] },
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
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
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
