// Writes docs/commands.md from the commands' own data. `--check` writes nothing and exits 1 when the page is not current.
// Usage: node scripts/docs-commands.mjs [--check]

import { join } from 'node:path';
import { importSource } from './import-source.mjs';
import { writeOrCheck } from './write-or-check.mjs';

const { COMMANDS } = await importSource('src/cli/commands/index.ts');
const { commandHelp } = await importSource('src/cli/help.ts');
const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()));

const page = [
  '<!-- Made by scripts/docs-commands.mjs from src/cli/commands/. Do not edit; run npm run docs. -->',
  '',
  '# Commands',
  '',
  'After this page you know every command, its flags and an example of each. `foreword COMMAND --help` prints the same.',
  '',
  'Exit codes: 0 done; 1 the work did not succeed; 2 wrong usage or input; 3 the machine lacks something (store, program);',
  '130 interrupted. Errors go to standard error; with `--json` they are `{"error":{"code","message","hint"}}` on standard output.',
  ...commands.flatMap((command) => ['', `## foreword ${command.name}`, '', '```text', commandHelp(command), '```']),
  '',
].join('\n');

writeOrCheck({ [join('docs', 'commands.md')]: page });
