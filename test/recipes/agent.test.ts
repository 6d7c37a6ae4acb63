// CONTRIBUTING.md, "Add an agent", carried out in a copy of the project: a folder of src/agents/ under another name, and no
// other file changed. Types, rules, lists and the tests that run over all agents must take it.

import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../bundle.ts';

const root = join(import.meta.dirname, '../..');
const copy = temporaryFolder('recipe-agent');

beforeAll(() => {
  for (const name of ['src', 'scripts', 'test', 'package.json', 'tsconfig.json', 'vitest.config.ts'])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  cpSync(join(copy, 'src/agents/pi'), join(copy, 'src/agents/nova'), { recursive: true });
});

afterAll(() => rmSync(copy, { recursive: true }));

test('the rules take it, and it is in every list', () => {
  expect(run(process.execPath, 'scripts/dependency-rules.mjs')).toMatchObject({ status: 0 });
  expect(run(process.execPath, 'scripts/house-rules.mjs')).toMatchObject({ status: 0 });
  for (const list of ['index', 'hooks', 'installs', 'instructions', 'labs', 'transcripts'])
    expect(readFileSync(join(copy, `src/agents/${list}.ts`), 'utf8'), list).toContain("'nova'");
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
    'src/install/targets.test.ts',
    'src/sessions/launch-hook.test.ts',
    'src/verify/lab/recipes.test.ts',
  ]);
  for (const file of ['samples', 'transcript']) expect(output).toContain(`src/agents/nova/${file}.test.ts`);
});

test('its screens and its hooks are tested', () => {
  const output = tests(['src/agents/screens.test.ts', 'src/hooks/sequences.test.ts', '-t', 'nova']);
  expect(output).toContain("'nova' > is in the state that was recorded");
  expect(output).toContain("'nova' > the gate speaks at the first tool, once");
});

/** What vitest prints; fails with it when a test does. */
function tests(words: readonly string[]): string {
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
