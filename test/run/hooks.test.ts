// Hooks and commands that an agent of a run without a box calls in its checkout (in a box: test/box/): they belong to the project and make no state for the checkout.

import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { foreword, type Ran } from '../foreword.ts';
import { longTest } from '../long.ts';
import { type Field, fileTask, makeField } from './field.ts';

const HOOK = join(import.meta.dirname, '../../dist/hook/foreword-hook');
const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');
const AS = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
let field: Field;
beforeEach(() => {
  // What the agent's hooks print goes beside the project, numbered.
  field = makeField({ agents: { first: ['follows'] }, tasks: [], settings: { run: { confine: 'off' } } });
  mkdirSync(join(field.project, '.context'));
  writeFileSync(join(field.project, '.context/CONSTITUTION.md'), 'Never push to main.\n');
  field.git('add', '.');
  field.git(...AS, 'commit', '-qm', 'context');
});
afterEach(() => field.remove());

/** Runs an agent that executes these lines; what each prints is in a file of its own. */
function withTask(...lines: readonly string[]): (env?: Readonly<Record<string, string>>) => Promise<Ran> {
  const script = join(field.folder, 'agent.sh');
  const body = lines.map((line, at) => `{ ${line}\n} > ${field.folder}/out-${at} 2>&1`);
  writeFileSync(script, ['#!/bin/sh', `hook() { ${HOOK} "$@"; }`, ...body, 'echo done > done-a.txt'].join('\n'));
  chmodSync(script, 0o755);
  const deeds = `do: ${JSON.stringify([['shell', script]])}`;
  writeFileSync(join(field.folder, 'tasks.json'), JSON.stringify([fileTask('a', { instructions: deeds })]));
  return (env = {}) => foreword(field.args, { cwd: field.project, env: { HOME: field.folder, ...env } });
}

/** What each line printed. */
async function agentRuns(...lines: readonly string[]): Promise<readonly string[]> {
  const ran = await withTask(...lines)();
  expect({ status: ran.status, stderr: ran.stderr }).toEqual({ status: 0, stderr: '' });
  return lines.map((_, at) => readFileSync(join(field.folder, `out-${at}`), 'utf8').trimEnd());
}

const state = () => join(field.folder, '.local/state/foreword');
const payload = (more: string) => `printf '{"session_id":"s1","cwd":"%s",${more}}' "$PWD"`;
const TOOL = payload('"tool_name":"Bash","tool_input":{"command":"ls"}');
const START = payload('"source":"startup"');
const PROMPT = payload('"prompt":"hello there"');

/** Every path below a folder that has this in it. */
function pathsWith(folder: string, part: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.includes(part));
}

/** Events of hooks, as they are in the store. */
async function hookEvents(): Promise<readonly { record: Record<string, unknown> }[]> {
  const { stdout } = await field.command('export');
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(
      ({ kind, record }) => kind === 'event' && /^(gate|context|agent)-/.test(record.kind) && 'session' in record,
    );
}

test('start and prompt hooks print nothing in a run, nor does the gate what the prompt has, and no state is made for the checkout', async () => {
  const [start, prompt, first, left] = await agentRuns(
    `${START} | hook session-start claude`,
    `${PROMPT} | hook prompt claude`,
    `${TOOL} | hook pre-tool claude`,
    'ls -a',
  );
  expect({ start, prompt, first }).toEqual({ start: '', prompt: '', first: '' });
  expect(left).not.toContain('.foreword');
  const given: string = JSON.parse(readFileSync(join(field.folder, 'ledger/ledger.jsonl.prompts'), 'utf8')).prompt;
  expect(given.match(/Never push to main\./g)).toHaveLength(1);
  expect(given).toMatch(/\n\[foreword rules fw_[0-9a-f]{12}\] Project context, put here for your task\. /);
  expect(readdirSync(join(state(), 'projects')).filter((name) => name.startsWith('p'))).toHaveLength(1);
  expect(existsSync(join(state(), 'roots')) ? pathsWith(join(state(), 'roots'), '/tree') : []).toEqual([]);
  expect(pathsWith(join(state(), 'projects'), '.fw')).toEqual([]);
  expect(await hookEvents()).toEqual([]);
});

test('the gate speaks to a sub-agent, which did not see the prompt, and again after a compaction; once each', async () => {
  const ofSubagent = payload('"agent_id":"g1","tool_name":"Bash","tool_input":{"command":"ls"}');
  const [first, sub, again, , after, last] = await agentRuns(
    `${TOOL} | hook pre-tool claude`,
    `${ofSubagent} | hook pre-tool claude`,
    `${ofSubagent} | hook pre-tool claude`,
    `${payload('"source":"compact"')} | hook session-start claude`,
    `${TOOL} | hook pre-tool claude`,
    `${TOOL} | hook pre-tool claude`,
  );
  expect({ first, again, last }).toEqual({ first: '', again: '', last: '' });
  expect(sub).toContain('Never push to main.');
  expect(after).toContain('Never push to main.');
  expect((await hookEvents()).map(({ record }) => record)).toMatchObject([
    { kind: 'gate-spoken', agent: 'first', unverified: true, isSubagent: true, files: ['.context/CONSTITUTION.md'] },
    { kind: 'gate-spoken', agent: 'first', session: 'a#1 s1', unverified: true, isSubagent: false },
  ]);
});

test('what an agent writes itself where hooks keep their records cannot pass for a record of another session', async () => {
  await agentRuns(
    [
      `${payload('"source":"compact"')} | hook session-start claude`,
      `${TOOL} | hook pre-tool claude`,
      'spool=$(find "$FOREWORD_STATE" -name entries.jsonl)',
      `printf '%s\\n' '{"id":"evt_x","at":"x","kind":"context-served","context":"fw_other","session":"other","agent":"codex"}' >> "$spool"`,
      `printf '%s\\n' '{"id":"evt_y","kind":"task-finished","task":"a","status":"completed"}' '{"kind":"gate-spoken"}' '[' >> "$spool"`,
      `head -c 300000 /dev/zero | tr '\\0' x >> "$spool"`,
    ].join('\n'),
  );
  expect((await hookEvents()).map(({ record }) => record)).toMatchObject([
    { kind: 'gate-spoken', session: 'a#1 s1', agent: 'first', unverified: true },
    { kind: 'context-served', session: 'a#1 other', context: 'a#1 fw_other', agent: 'first', unverified: true },
  ]);
});

test('hooks without the variable of the run print nothing and keep nothing in a checkout', async () => {
  const [first] = await agentRuns(`${TOOL} | env -u FOREWORD_STATE ${HOOK} pre-tool claude`);
  expect(first).toBe('');
  expect(existsSync(join(state(), 'roots')) ? pathsWith(join(state(), 'roots'), '/tree') : []).toEqual([]);
});

longTest('the same holds where checkouts lie outside the state folder', async () => {
  const elsewhere = join(field.folder, 'elsewhere');
  const { status } = await withTask(
    `${payload('"source":"compact"')} | hook session-start claude`,
    `${TOOL} | hook pre-tool claude`,
    `${TOOL} | env -u FOREWORD_STATE ${HOOK} pre-tool claude`,
    `node ${MAIN} context --json`,
  )({ FOREWORD_CHECKOUTS: elsewhere });
  expect(status).toBe(0);
  const [first, second, header = ''] = [1, 2, 3].map((at) => readFileSync(join(field.folder, `out-${at}`), 'utf8'));
  expect(first).toContain('Never push to main.');
  expect(second).toBe('');
  expect(JSON.parse(header)).toMatchObject({ repo: { branch: field.branch().replace('refs/heads/', '') } });
  expect(field.prompts()[0]?.cwd).toContain(elsewhere);
  expect(existsSync(join(state(), 'roots')) ? pathsWith(join(state(), 'roots'), 'elsewhere') : []).toEqual([]);
});

describe('a command that the agent calls in its checkout', () => {
  const command = (words: string) => `node ${MAIN} ${words}`;

  test('shows the project: its notes and tasks, with the branch of the checkout', async () => {
    mkdirSync(join(field.project, '.foreword/notes/ready_for_review'), { recursive: true });
    writeFileSync(join(field.project, '.foreword/notes/ready_for_review/mine.md'), 'not committed\n');
    const [header = '', hits, status = ''] = await agentRuns(
      command('context --json'),
      `echo zebras > new.txt; git add new.txt; ${command('search zebras')}`,
      command('status --json'),
    );
    const branch = field.branch().replace('refs/heads/', '');
    expect(JSON.parse(header)).toMatchObject({ repo: { branch }, pending: [{ id: 'mine' }] });
    expect(hits).toContain('new.txt:1');
    expect(JSON.parse(status)).toMatchObject({ tasks: [{ task_id: 'a', status: 'running' }] });
    expect(readdirSync(join(state(), 'projects')).filter((name) => name.startsWith('p'))).toHaveLength(1);
  });

  test('saves notes as an agent, for the same task alone', async () => {
    const [, loaded] = await agentRuns(command('save --by person "half way"'), command('load --json'));
    expect(loaded).toContain('half way');
    const { stdout } = await field.command('export');
    const records = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const saved = records.filter(({ kind }) => kind === 'continuity').map(({ record }) => record);
    expect(saved).toMatchObject([{ by: 'agent', summary: 'half way', tree: expect.stringContaining('a') }]);
    expect((await field.command('load', '--json')).stdout).not.toContain('half way');
  });

  test('is refused when it is for the person alone', async () => {
    const [merge, run] = await agentRuns(command('merge'), command('run tasks.yaml'));
    expect(merge).toContain('is a checkout of a run');
    expect(run).toContain('is a checkout of a run');
  });
});
