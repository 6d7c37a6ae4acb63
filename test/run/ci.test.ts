// The files for pipelines, run as a runner does: the script of examples/ci/, and each step of action.yml with its inputs.

import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { until } from '../processes/processes.ts';
import { type Field, fileTask, makeField } from './field.ts';

const ROOT = join(import.meta.dirname, '../..');
const SCRIPT = join(ROOT, 'examples/ci/foreword-ci.sh');
const MAIN = join(ROOT, 'dist/command/start.cjs');

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly run: string;
  readonly 'working-directory': string;
  readonly env: Readonly<Record<string, string>>;
}

let field: Field;
let clone = '';
let jobs = 0;
beforeEach(() => {
  const tasks = [fileTask('a'), fileTask('b')];
  field = makeField({ agents: { first: ['works', '50'], wrong: ['always-wrong'], slow: ['works', '60000'] }, tasks });
  writeFileSync(join(field.project, 'tasks.json'), JSON.stringify(tasks));
  field.git('add', 'tasks.json');
  field.git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-qm', 'tasks');
  const bin = join(field.folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'foreword'), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
  chmodSync(join(bin, 'foreword'), 0o755);
  newMachine();
});
afterEach(() => field.remove());

function newMachine(): void {
  jobs += 1;
  const home = join(field.folder, `machine-${jobs}`);
  clone = join(home, 'clone');
  mkdirSync(home);
  execFileSync('git', ['clone', '-q', field.project, clone]);
}

const out = (name: string) => join(clone, '..', name);

interface Ended {
  readonly code: number | null;
  readonly text: string;
}

function start(args: readonly string[], env: Readonly<Record<string, string>>) {
  const home = join(clone, '..');
  const basic = {
    PATH: `${join(field.folder, 'bin')}:${process.env.PATH}`,
    HOME: home,
    FOREWORD_CHECKOUTS: home,
    GITHUB_OUTPUT: out('output'),
    GITHUB_STEP_SUMMARY: out('summary'),
    GITHUB_ACTION_PATH: ROOT,
  };
  const child = spawn('bash', args, { cwd: clone, env: { ...basic, ...env } });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, text })));
  return { child, ended };
}

const VARIABLES = () => ({ FW_TASKS: 'tasks.json', FW_CONFIG: join(field.folder, 'config.json') });
const script = (env: Readonly<Record<string, string>>, ...args: string[]) =>
  start([SCRIPT, ...args], { ...VARIABLES(), ...env });

/** As the runner does: a step without a condition is left out after one that failed. */
async function runAction(given: Readonly<Record<string, string>>): Promise<Ended> {
  const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));
  const inputs: Record<string, string> = {};
  for (const [name, { default: usual }] of Object.entries<{ default?: string }>(action.inputs))
    inputs[name] = given[name] ?? usual ?? '';
  const all: Ended = { code: 0, text: '' };
  let ended = all;
  for (const step of action.runs.steps as readonly Step[]) {
    if (ended.code !== 0 && step.if !== 'always()') continue;
    const env = Object.fromEntries(
      Object.entries(step.env).map(([name, value]) => [
        name,
        value.replace(/\$\{\{ inputs\.([a-z-]+) \}\}/, (_, input: string) => inputs[input] ?? 'unknown input'),
      ]),
    );
    const { code, text } = await start(['-eo', 'pipefail', '-c', step.run], env).ended;
    ended = { code: ended.code || code, text: ended.text + text };
  }
  return ended;
}

const outputs = () =>
  Object.fromEntries(
    readFileSync(out('output'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.split('=')),
  );

test('the script works through the tasks and leaves the file, the report and the outputs', async () => {
  const { code, text } = await script({ FW_AGENTS: 'first' }).ended;
  expect([code, text]).toEqual([0, expect.stringContaining('No foreword-work.tar: a new run begins.')]);
  expect(text).not.toContain('uncommitted');
  expect(outputs()).toEqual({
    status: 'completed',
    branch: expect.stringMatching(/^foreword\/tasks-[0-9a-f]{4}$/),
    report: 'foreword-report.md',
  });
  const report = readFileSync(join(clone, 'foreword-report.md'), 'utf8');
  expect(readFileSync(out('summary'), 'utf8')).toBe(report);
  expect(report).toMatch(/^\| a \| 1 \| first \| [0-9a-f]{12} \| none \| passed \| [0-9a-f]{12} \|$/m);
  expect(execFileSync('git', ['status', '--porcelain'], { cwd: clone, encoding: 'utf8' })).toBe('');
});

test('a step that fails ends the job with its exit code after the file is written; the next job goes on', async () => {
  const config = VARIABLES().FW_CONFIG;
  const first = await runAction({ tasks: 'tasks.json', config, agents: 'wrong', args: '--only a --concurrency 1' });
  expect(first.code).toBe(1);
  expect(outputs()).toMatchObject({ status: 'unfinished' });
  const kept = readFileSync(join(clone, 'foreword-work.tar'));
  newMachine();
  writeFileSync(join(clone, 'foreword-work.tar'), kept);
  const second = await runAction({ tasks: 'tasks.json', config, agents: 'first' });
  expect([second.code, second.text]).toEqual([0, expect.stringContaining('goes on with: foreword run tasks.json')]);
  expect(outputs()).toMatchObject({ status: 'completed' });
  const report = readFileSync(out('summary'), 'utf8');
  expect(report).toMatch(/^\| a \| 4 \| wrong \| .* \| retry \| failed/m);
  expect(report).toMatch(/^\| a \| 5 \| first \| .* \| provider switch \| passed/m);
});

test('a cancelled job stops its agents, and what it did is in the file', async () => {
  const { child, ended } = script({ FW_AGENTS: 'slow' });
  await until('an agent works', () => field.ledger().length === 1, 30_000);
  // To the shell alone, as a runner does.
  child.kill('SIGINT');
  expect((await ended).code).toBe(130);
  expect(outputs()).toMatchObject({ status: 'stopped' });
  const kept = readFileSync(join(clone, 'foreword-work.tar'));
  newMachine();
  writeFileSync(join(clone, 'foreword-work.tar'), kept);
  expect((await script({ FW_AGENTS: 'first' }).ended).code).toBe(0);
  expect(readFileSync(out('summary'), 'utf8')).toMatch(/^\| a \| 1 \| slow \| .* \| interrupted \|/m);
});

test('wrong use is named, and a file that cannot be imported stops the job before an agent is paid', async () => {
  expect(await script({}, 'dance').ended).toMatchObject({ code: 2, text: expect.stringContaining('unknown step') });
  expect(await script({ FW_TASKS: '' }, 'run').ended).toMatchObject({ code: 2 });
  writeFileSync(join(clone, 'foreword-work.tar'), 'not a work file');
  expect((await script({ FW_AGENTS: 'first' }).ended).code).toBe(2);
  expect(field.ledger()).toEqual([]);
  rmSync(join(clone, 'foreword-work.tar'));
  expect(existsSync(out('summary'))).toBe(false);
});

test('no text of an input reaches a script, and every input and variable of action.yml is used', () => {
  const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));
  const steps = action.runs.steps as readonly Step[];
  for (const { run } of steps) expect(run).not.toContain('${{');
  const used = new Set(steps.flatMap(({ env, 'working-directory': place }) => [...Object.values(env), place]));
  expect([...used].toSorted()).toEqual(
    Object.keys(action.inputs)
      .map((name) => `\${{ inputs.${name} }}`)
      .toSorted(),
  );
  const text = readFileSync(SCRIPT, 'utf8');
  for (const name of steps.flatMap(({ env }) => Object.keys(env))) expect(text).toContain(`\${${name}:-`);
});

test('the examples of workflows are YAML, and name files and inputs that there are', () => {
  const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));
  const github = parse(readFileSync(join(ROOT, 'examples/ci/github.yml'), 'utf8'));
  const [step] = github.jobs.tasks.steps.filter(({ id }: { id?: string }) => id === 'foreword');
  for (const name of Object.keys(step.with)) expect(Object.keys(action.inputs)).toContain(name);
  const gitlab = parse(readFileSync(join(ROOT, 'examples/ci/gitlab.yml'), 'utf8'));
  const text = readFileSync(SCRIPT, 'utf8');
  for (const name of Object.keys(gitlab.foreword.variables).filter((one) => one.startsWith('FW_')))
    expect(text).toContain(`\${${name}:-`);
});
