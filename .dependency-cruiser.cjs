// Who may import whom. Each rule is planted and caught once in test/house-rules.test.ts.
const TEST = '\\.test\\.ts$|^src/stores/contract(/|\\.ts$)|^src/testing/';
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from: { pathNot: TEST, ...from }, to });

module.exports = {
  forbidden: [
    rule('core-is-pure', 'core/ imports only core/', { path: '^src/core/' }, { pathNot: '^src/core/' }),
    rule(
      'formats-are-pure',
      'formats/ and schemas/ work on text and values',
      { path: '^src/(formats|schemas)/' },
      { path: '^(node:)?(fs|child_process|net|path|os)$|^src/(?!core/|formats/|schemas/)' },
    ),
    rule(
      'catalogs-never-meet',
      'sources and stores import core and their own folder',
      { path: '^src/(sources|stores)/' },
      { path: '^src/(?!core/|files/|git/|formats/|schemas/|$1/)' },
    ),
    rule(
      'rooms-know-no-catalog',
      'files/, git/ and search/ know core only',
      { path: '^src/(files|git)/' },
      { path: '^src/(?!core/|files/|git/)' },
    ),
    rule(
      'commands-are-thin',
      'commands/ get everything from wire.ts',
      { path: '^src/(commands|cli)/' },
      { path: '^src/(?!core/|commands/|cli/|(wire|config)\\.ts$)' },
    ),
    rule('nobody-imports-the-face', 'index.ts is for users', { path: '^src/' }, { path: '^src/index\\.ts$' }),
    rule(
      'libsql-at-home',
      'libsql only in stores/sqlite/',
      { path: '^src/', pathNot: '^src/stores/sqlite/|' + TEST },
      { path: 'node_modules/libsql' },
    ),
    rule(
      'ioredis-at-home',
      'ioredis only in stores/redis/',
      { path: '^src/', pathNot: '^src/stores/redis/|' + TEST },
      { path: 'node_modules/ioredis' },
    ),
    rule(
      'valibot-at-home',
      'valibot only in config.ts and schemas/',
      { path: '^src/', pathNot: '^src/(config\\.ts|schemas/)' },
      { path: 'node_modules/(@valibot|valibot)' },
    ),
    rule(
      'js-yaml-at-home',
      'js-yaml only in formats/',
      { path: '^src/', pathNot: '^src/formats/|' + TEST },
      { path: 'node_modules/js-yaml' },
    ),
    rule(
      'no-test-code-in-product',
      'tests are not shipped',
      { path: '^src/', pathNot: TEST },
      { path: TEST + '|^test/|node_modules/(vitest|fast-check)' },
    ),
    rule('no-cycles', 'no cycles', { path: '^src/' }, { circular: true }),
    rule(
      'no-unlisted-package',
      'every package is in package.json',
      { path: '^src/' },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'undetermined'] },
    ),
    rule('nothing-unresolved', 'every import resolves', { path: '^src/' }, { couldNotResolve: true }),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.d.ts'],
    },
  },
};
