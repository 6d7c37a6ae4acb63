// CONTRIBUTING.md, "Add an agent", carried out in a copy of the project: a folder of src/agents/ under another name, and no
// other file changed. Types, rules, lists and the tests that run over all agents must take it.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../bundle.ts';

const root = join(import.meta.dirname, '../..');
const copy = temporaryFolder('recipe-agent');

/** The smallest agent: it works unattended, and nothing is known of its terminal, its hooks or its files. */
const NIMBLE = {
  'index.ts': `import type { AgentFacts } from '../../kernel/agent.ts';

export const agent: AgentFacts = {
  oneshot: { command: ['nimble', '--print'], prompt: 'stdin', output: { format: 'text' }, firstOutputS: 60 },
  env: ['NIMBLE_API_KEY'],
  errors: [{ class: 'rate_limit', text: '429|rate limit' }],
};
`,
  'samples.test.ts': `import { checkSamples, TALK } from '../../../test/agent-samples.ts';
import { agent } from './index.ts';

checkSamples(agent, [
  { what: 'answer', stdout: 'Done.\\n', is: { answer: 'Done.' } },
  { what: 'talk', stdout: TALK, is: { answer: TALK } },
  { what: 'rate limit', exit: 1, stderr: 'HTTP 429: slow down', is: 'rate_limit' },
  { what: 'garbage', stdout: '', is: { answer: '' } },
  { what: 'killed', exit: 137, is: 'crash' },
  { what: 'nothing on stderr', exit: 2, is: 'crash' },
]);
`,
};

beforeAll(() => {
  for (const name of ['src', 'scripts', 'test', 'package.json', 'tsconfig.json', 'vitest.config.ts'])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  cpSync(join(copy, 'src/agents/pi'), join(copy, 'src/agents/nova'), { recursive: true });
  for (const [file, text] of Object.entries(NIMBLE)) {
    mkdirSync(join(copy, 'src/agents/nimble'), { recursive: true });
    writeFileSync(join(copy, 'src/agents/nimble', file), text);
  }
});

afterAll(() => rmSync(copy, { recursive: true }));

test('the rules take it, and it is in every list', () => {
  expect(run(process.execPath, 'scripts/dependency-rules.mjs')).toMatchObject({ status: 0 });
  expect(run(process.execPath, 'scripts/house-rules.mjs')).toMatchObject({ status: 0 });
  for (const list of ['index', 'hooks', 'installs', 'instructions', 'labs', 'transcripts'])
    expect(readFileSync(join(copy, `src/agents/${list}.ts`), 'utf8'), list).toContain("'nova'");
  expect(readFileSync(join(copy, 'src/agents/index.ts'), 'utf8')).toContain("'nimble'");
});

test('the types take it', () => {
  const all = { extends: './tsconfig.json', include: ['src/agents', 'src/main.ts', 'src/index.ts'] };
  writeFileSync(join(copy, 'tsconfig.recipe.json'), JSON.stringify(all));
  expect(run('node_modules/.bin/tsc', '-p', 'tsconfig.recipe.json')).toEqual({ status: 0, output: '' });
});

test('its samples, transcript, recipe and entries are tested', () => {
  const output = tests([
    'src/agents/catalog.test.ts',
    'src/agents/nova',
    'src/agents/nimble',
    'src/install/targets.test.ts',
    'src/sessions/channels/hook/launch-hook.test.ts',
    'src/verify/lab/recipes.test.ts',
  ]);
  for (const file of ['samples', 'transcript']) expect(output).toContain(`src/agents/nova/${file}.test.ts`);
  expect(output).toContain('src/agents/nimble/samples.test.ts');
});

test('its screens and its hooks are tested', () => {
  const output = tests(['src/agents/screens.test.ts', 'src/hooks/sequences.test.ts', '-t', 'nova|every agent']);
  expect(output).toContain("'nova' > is in the state that was recorded");
  expect(output).toContain("'nova' > the gate prints at the first tool, once");
});

/** What vitest prints; fails with it when a test does. */
function tests(words: readonly string[]): string {
  // vitest passes over a path that is not there.
  for (const word of words) if (word.startsWith('src/')) expect(existsSync(join(copy, word)), word).toBe(true);
  const { status, output } = run(
    'node_modules/.bin/vitest',
    'run',
    '--project',
    'unit',
    '--reporter',
    'verbose',
    ...words,
  );
  if (status !== 0) throw new Error(output);
  return output;
}

function run(program: string, ...args: readonly string[]) {
  const { FOREWORD_TEST_AGENTS: _, ...env } = process.env;
  const done = spawnSync(program, args, { cwd: copy, encoding: 'utf8', env: { ...env, NO_COLOR: '1' } });
  return { status: done.status, output: done.stdout + done.stderr };
}
