// The recipes of CONTRIBUTING.md, carried out in a copy of the project: types, rules, lists and tests must take the result, and
// a line that was forgotten must be found. The recipe for an agent has a test of its own beside this one.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../bundle.ts';
import { IS_LONG } from '../scale.ts';
import { channel } from './channel.ts';
import { checkKind } from './check-kind.ts';
import { command } from './command.ts';
import { hookEvent } from './hook-event.ts';
import { carryOut, copyProject, type Recipe } from './recipe.ts';
import { setting } from './setting.ts';
import { source } from './source.ts';
import { store } from './store.ts';

const RECIPES: readonly Recipe[] = [source, store, command, setting, channel, checkKind, hookEvent];
const NAMED = RECIPES.map((recipe) => [recipe.heading, recipe] as const);

const root = join(import.meta.dirname, '../..');
const copy = temporaryFolder('recipes');
beforeAll(() => copyProject(copy));
afterAll(() => rmSync(copy, { recursive: true }));

describe.each(NAMED)('"%s" in CONTRIBUTING.md', (heading, { changes }) => {
  const section = sectionOf(heading);

  test('has at most eight lines', () => {
    expect(section.length).toBeGreaterThan(0);
    expect(section.filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(8);
  });

  test('takes three files at most, each named or in a folder that is named', () => {
    expect(changes.length).toBeLessThanOrEqual(3);
    const text = section.join('\n');
    const isNamed = (path: string): boolean => {
      const folders = path.split('/').map((_, index, parts) => `${parts.slice(0, index).join('/')}/`);
      return [path, ...folders.slice(2)].some((one) => text.includes(`\`${one}\``));
    };
    expect(changes.map(({ path }) => path).filter((path) => !isNamed(path))).toEqual([]);
  });
});

describe('all recipes carried out', () => {
  beforeAll(() => {
    for (const recipe of RECIPES) carryOut(recipe, copy);
  });

  test('types, dependency rules and house rules take it', () => {
    expect(run('node_modules/.bin/tsc', '-p', '.')).toEqual({ status: 0, output: '' });
    expect(run(process.execPath, 'scripts/dependency-rules.mjs')).toMatchObject({ status: 0 });
    expect(run(process.execPath, 'scripts/house-rules.mjs')).toMatchObject({ status: 0 });
  });

  test('the tests of each new thing pass, and those that watch its kind', () => {
    const wanted = RECIPES.flatMap(({ test: own, watchers }) => [
      ...(own === undefined ? [] : [own.path]),
      ...watchers,
    ]);
    const results = tests(wanted);
    expect(results.filter(({ failed }) => failed.length > 0)).toEqual([]);
    const ran = results.map(({ file }) => file);
    expect(wanted.filter((one) => !ran.some((file) => file.startsWith(one)))).toEqual([]);
  });

  test('the pages made from the code are called out of date, and tell of it once they are made', () => {
    for (const name of ['docs-config', 'docs-commands'])
      expect(run(process.execPath, `scripts/${name}.mjs`, '--check'), name).toMatchObject({
        status: 1,
        output: expect.stringMatching(/is not current: run npm run docs|^Not up to date: docs/),
      });
    for (const name of ['docs-config', 'docs-commands'])
      expect(run(process.execPath, `scripts/${name}.mjs`), name).toMatchObject({ status: 0 });
    expect(readFileSync(join(copy, 'docs/configuration.md'), 'utf8')).toContain('`history.newest`');
    expect(readFileSync(join(copy, 'docs/commands.md'), 'utf8')).toContain('foreword greet Ada');
    expect(readFileSync(join(copy, 'schema/tasks.schema.json'), 'utf8')).toContain('"file_empty"');
  });

  describe('the command built from it', () => {
    const home = join(copy, 'home');
    beforeAll(() => {
      mkdirSync(join(home, '.foreword'), { recursive: true });
      buildSync({
        absWorkingDir: copy,
        entryPoints: ['src/main.ts'],
        outfile: join(copy, 'main.mjs'),
        bundle: true,
        platform: 'node',
        format: 'esm',
        target: 'node20',
        packages: 'external',
        define: { FOREWORD_VERSION: '"0.0.0"' },
        logLevel: 'warning',
      });
    });

    test('lists and runs the new command', () => {
      expect(foreword(['--help']).stdout).toMatch(/^ {2}greet NAME +Greet somebody by name$/m);
      expect(foreword(['greet', 'Ada'])).toEqual({ status: 0, stdout: 'Hello, Ada.\n', stderr: '' });
    });

    test('accepts the new setting, and refuses a wrong value', () => {
      expect(foreword(['context'], { env: { FOREWORD_HISTORY_NEWEST: '4' } })).toMatchObject({ status: 0 });
      expect(foreword(['context'], { env: { FOREWORD_HISTORY_NEWEST: '99' } })).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('FOREWORD_HISTORY_NEWEST'),
      });
    });

    test('opens the new store by its URL', () => {
      expect(foreword(['export', '--store', 'shelf://top'])).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('"records":0'),
      });
      expect(foreword(['export', '--store', 'ftp://top'])).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('shelf://'),
      });
    });

    test('offers the new channel, and takes records of it', () => {
      expect(foreword(['start', '--help']).stdout).toContain('letter');
      expect(foreword(['import', '-'], { input: records('letter') })).toMatchObject({ status: 0 });
      expect(foreword(['import', '-'], { input: records('pigeon') })).toMatchObject({ status: 2 });
    });

    test('knows the new hook event', () => {
      const payload = JSON.stringify({ session_id: 's1', cwd: home });
      const logged = (event: string): string => {
        const ran = foreword(['hook', event, '--agent', 'qwen'], { input: payload });
        expect(ran).toEqual({ status: 0, stdout: '', stderr: '' });
        const log = join(home, '.local/state/foreword/hook.log');
        const text = existsSync(log) ? readFileSync(log, 'utf8') : '';
        rmSync(log, { force: true });
        return text;
      };
      expect(logged('pigeon')).toContain('unknown event');
      expect(logged('subagent-stop')).toBe('');
    });

    function foreword(args: readonly string[], given: { input?: string; env?: Readonly<Record<string, string>> } = {}) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [join(copy, 'main.mjs'), ...args], {
        cwd: home,
        encoding: 'utf8',
        input: given.input ?? '',
        env: { PATH: process.env.PATH ?? '', HOME: home, FOREWORD_CHECKOUTS: home, NO_COLOR: '1', ...given.env },
      });
      return { status, stdout, stderr };
    }
  });
});

/** Types and tests once more: for the long run. */
function forgottenLines(): void {
  const forgetful = RECIPES.filter(({ forgotten }) => forgotten !== undefined);
  let types: string;
  let failing: readonly string[];
  beforeAll(() => {
    for (const recipe of RECIPES) carryOut(recipe, copy, (path) => path === recipe.forgotten?.path);
    types = run('node_modules/.bin/tsc', '-p', '.').output;
    const watching = forgetful.flatMap(({ forgotten }) =>
      forgotten !== undefined && 'test' in forgotten.found ? [forgotten.found.test] : [],
    );
    failing = tests(watching).flatMap(({ file, failed }) => (failed.length > 0 ? [file] : []));
  });

  test.each(forgetful.map((recipe) => [recipe.heading, recipe.forgotten] as const))('of "%s" is found', (_, line) => {
    if (line === undefined) return;
    if ('types' in line.found) expect(types).toMatch(new RegExp(`^${line.found.types}\\(.*error`, 'm'));
    else expect(failing).toContain(line.found.test);
  });
}
if (IS_LONG) describe('a line that was forgotten', forgottenLines);

/** The lines below a heading. */
function sectionOf(heading: string): readonly string[] {
  const lines = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split('\n');
  const start = lines.indexOf(`## ${heading}`);
  if (start === -1) return [];
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('## '));
  return lines.slice(start + 1, length === -1 ? undefined : start + 1 + length);
}

/** An export with one receipt. */
function records(by: string): string {
  const receipt = {
    id: `rcp_${by}`,
    delivery: 'fw_a',
    session: 's',
    moment: 'prompt',
    channel: by,
    proof: 'placed',
    outcome: 'delivered',
    at: '2026-11-16T12:00:00.000Z',
    attempts: 1,
    durationMs: 1,
  };
  const lines = [
    { foreword_export: 1, records: 1 },
    { kind: 'receipt', record: receipt },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Unit tests of the copy, with the sentences of those that failed. */
function tests(files: readonly string[]): readonly { readonly file: string; readonly failed: readonly string[] }[] {
  const report = join(copy, 'report.json');
  writeFileSync(report, '');
  const words = ['run', '--project', 'unit', '--reporter', 'json', '--outputFile', report];
  const { output } = run('node_modules/.bin/vitest', ...words, ...files);
  const text = readFileSync(report, 'utf8');
  if (text === '') throw new Error(output);
  const { testResults } = JSON.parse(text) as {
    testResults: { name: string; message: string; assertionResults: { status: string; fullName: string }[] }[];
  };
  return testResults.map(({ name, message, assertionResults }) => ({
    file: relative(copy, name),
    failed: [
      ...(message === '' ? [] : [message]),
      ...assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
    ],
  }));
}

function run(program: string, ...args: readonly string[]) {
  const { FOREWORD_TEST_AGENTS: _, ...env } = process.env;
  const done = spawnSync(program, args, { cwd: copy, encoding: 'utf8', env: { ...env, NO_COLOR: '1' } });
  return { status: done.status, output: done.stdout + done.stderr };
}
