// `npm run check`: everything that needs no server and no build, in about a minute. `--tested` leaves out the unit tests, for
// who has just run all tests.

import { join } from 'node:path';
import { writeCatalogs } from './agents-catalog.mjs';
import { runSteps } from './run-steps.mjs';

const bin = (name) => join(import.meta.dirname, '../node_modules/.bin', name);
const script = (name) => join(import.meta.dirname, name);

process.chdir(join(import.meta.dirname, '..'));
writeCatalogs();
const unitTests = ['unit tests', bin('vitest'), ['run', '--project', 'unit', '--reporter', 'default']];
process.exitCode = runSteps([
  ['format and lint', bin('biome'), ['ci', '--error-on-warnings', '.']],
  ['promises and switches', bin('oxlint'), ['--type-aware', '--deny-warnings', 'src', 'test']],
  ['types', bin('tsc'), ['-p', '.']],
  ['types of the page', bin('tsc'), ['-p', 'src/dashboard/page']],
  ['dependency rules', process.execPath, [script('dependency-rules.mjs')]],
  ['house rules', process.execPath, [script('house-rules.mjs')]],
  ['packages we depend on', process.execPath, [script('supply-chain.mjs')]],
  ['changelog and links of the package', process.execPath, [script('release.mjs'), '--check']],
  ...(process.argv.includes('--tested') ? [] : [unitTests]),
  ['configuration page and schemas are current', process.execPath, [script('docs-config.mjs'), '--check']],
  ['commands page is current', process.execPath, [script('docs-commands.mjs'), '--check']],
  ['agents page is current', process.execPath, [script('docs-agents.mjs'), '--check']],
  ['rooms in ARCHITECTURE.md are current', process.execPath, [script('docs-architecture.mjs'), '--check']],
  ['sandbox page is current', process.execPath, [script('docs-sandbox.mjs'), '--check']],
  ['server.json is current', process.execPath, [script('server-json.mjs'), '--check']],
  ['examples in the docs are current', process.execPath, [script('docs-examples.mjs'), '--check']],
]);
