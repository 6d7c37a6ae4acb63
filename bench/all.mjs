// Runs every benchmark, one after the other. Usage: npm run bench
// The one with real agents comes last, since it takes hours; where they are not installed it is skipped in one line.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runSteps } from '../scripts/run-steps.mjs';

const files = readdirSync(import.meta.dirname).filter(
  (name) => name.endsWith('.mjs') && !['all.mjs', 'measure.mjs', 'agents.mjs'].includes(name),
);
process.exitCode = runSteps([
  ['build', process.execPath, [join(import.meta.dirname, '../scripts/build.mjs'), '--no-types']],
  ...files.map((name) => [name, process.execPath, [join(import.meta.dirname, name)]]),
  ['agents.mjs', process.execPath, [join(import.meta.dirname, 'agents.mjs'), '--if-possible']],
]);
