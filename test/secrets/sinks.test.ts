// No secret leaves. Over two hundred are planted in everything an agent can produce; then every file that was written, every
// prompt, every command's output and every response of the dashboard is searched for them.

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { foreword } from '../foreword.ts';
import { type Field, makeField } from '../run/field.ts';
import { plant } from './planted.ts';

const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');
const PLANTED = plant();

let field: Field;
const sinks = new Map<string, string>();

beforeAll(async () => {
  field = makeField({ agents: {}, tasks: [] });
  const kept = join(field.folder, 'kept');
  mkdirSync(kept);
  const planted = join(field.folder, 'planted.json');
  writeFileSync(planted, JSON.stringify(PLANTED));
  writeProject(planted, kept);
  await runEverything();
  for (const name of readdirSync(kept)) {
    const [kind = ''] = name.split('-');
    sinks.set(kind, (sinks.get(kind) ?? '') + readFileSync(join(kept, name), 'utf8'));
  }
  addCommits();
  for (const folder of [join(field.project, '.foreword'), join(field.folder, '.local/state/foreword')])
    addFiles(folder);
}, 120_000);
afterAll(() => field.remove());

function writeProject(planted: string, kept: string): void {
  const agent = (end: string) => ({
    oneshot: {
      command: [
        process.execPath,
        join(import.meta.dirname, '../agents/scripted.mjs'),
        'leaks',
        join(field.folder, 'ledger', 'ledger.jsonl'),
        planted,
        kept,
        end,
      ],
      prompt: 'stdin',
    },
  });
  const agents = { alpha: agent('fails'), beta: agent('wrong'), gamma: agent('works') };
  writeFileSync(
    join(field.folder, 'config.json'),
    JSON.stringify({
      lineup: Object.keys(agents),
      agents,
      state: { dump: true },
      run: { allow: [kept, join(field.folder, 'ledger')] },
    }),
  );
  const [first = '', second = '', third = ''] = PLANTED.names;
  const all = PLANTED.texts.slice(0, 40).join(' ');
  const task = {
    task_id: 'a',
    intent: `Make a, with ${first}`,
    instructions: `Write done-a.txt. ${all}`,
    acceptance_criteria: [
      { text: 'the file says done', check: { file_contains: { path: 'done-a.txt', pattern: '^done$' } } },
      {
        text: 'its output is fine',
        check: { command: ['sh', '-c', 'cat leaked.txt; cat leaked.txt >&2; grep -qx done done-a.txt'] },
      },
      { text: `there is no ${second}`, check: { not_file_exists: `${'folder/'.repeat(12)}${third}/${second}` } },
    ],
    targets: ['done-*.txt', 'leaked.txt', ...PLANTED.names.slice(0, 6).map((name) => `${name}.txt`)],
    retry_policy: { max_retries: 4 },
  };
  writeFileSync(join(field.folder, 'tasks.json'), JSON.stringify([task]));
  writeFileSync(join(field.project, 'notes.md'), `findable words\n${PLANTED.texts.join('\n')}\n`);
  writeFileSync(join(field.project, '.foreword', 'tasks.json'), JSON.stringify([task]));
  // Only tracked files are searched.
  execFileSync('git', ['add', 'notes.md'], { cwd: field.project, env: { PATH: process.env.PATH, HOME: field.folder } });
}

async function runEverything(): Promise<void> {
  const at = { cwd: field.project, env: { HOME: field.folder, ...PLANTED.env } };
  const config = ['--config', join(field.folder, 'config.json')];
  const run = async (name: string, ...args: string[]) => {
    const { stdout, stderr } = await foreword([...args, ...config], at);
    sinks.set(name, stdout + stderr);
  };
  const input = JSON.stringify({
    current_task: PLANTED.texts[0],
    notes: PLANTED.texts.slice(0, 30),
    context: { all: PLANTED.texts },
  });
  await run('the output of run', 'run', join(field.folder, 'tasks.json'), '--json');
  const saved = await foreword(['save', ...config], { ...at, input });
  sinks.set('the output of save', saved.stdout + saved.stderr);
  await run('history', 'history', 'a', '--json');
  await run('prompts of history', 'history', 'a', '--prompt');
  await run('status', 'status', '--json');
  await run('export', 'export');
  await run('metrics', 'metrics');
  await run('context', 'context', '--format', 'md');
  await run('the next prompt', 'prompt', 'a');
  await run('search', 'search', 'findable words');
  await run('load', 'load');
  await run('an error message', 'run', join(field.folder, `${PLANTED.names[0]}.json`));
  await run('reject', 'reject', 'a', '--because', PLANTED.texts.slice(0, 30).join(' '));
  await run('the second run', 'run', join(field.folder, 'tasks.json'));
  await run('accept', 'accept', 'a');
  await run('undo', 'undo', 'a');
  await run('history of it all', 'history', 'a', '--json');
  sinks.set('a hook', await hookOutput(at));
  await readDashboard(at.env, config);
}

async function hookOutput(at: { cwd: string; env: Record<string, string> }): Promise<string> {
  const transcript = join(field.folder, 'transcript.jsonl');
  writeFileSync(
    transcript,
    PLANTED.texts.map((text) => JSON.stringify({ type: 'user', message: { role: 'user', content: text } })).join('\n'),
  );
  let all = '';
  for (const event of ['session-start', 'prompt', 'pre-tool', 'post-tool', 'stop', 'session-end']) {
    const input = JSON.stringify({
      session_id: 's1',
      cwd: at.cwd,
      transcript_path: transcript,
      prompt: PLANTED.texts.slice(0, 20).join(' '),
      tool_input: { command: PLANTED.texts[1] },
    });
    const { stdout, stderr } = await foreword(['hook', event, '--agent', 'claude'], { ...at, input });
    all += stdout + stderr;
  }
  return all;
}

async function readDashboard(env: Record<string, string>, config: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [MAIN, 'dashboard', '--json', ...config], {
    cwd: field.project,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  try {
    const line = await new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve));
    const url = new URL((JSON.parse(line) as { url: string }).url);
    for (const path of [
      '/',
      '/state',
      '/metrics',
      '/text?task=a&attempt=1',
      '/text?task=a&attempt=2',
      '/text?task=a&attempt=3',
    ]) {
      const place = new URL(path, url);
      place.searchParams.set('token', url.searchParams.get('token') ?? '');
      const response = await fetch(place);
      sinks.set(`the dashboard's ${path}`, await response.text());
    }
  } finally {
    child.kill('SIGINT');
    await ended;
  }
}

/** Of the project. */
function state(): string {
  const projects = join(field.folder, '.local/state/foreword/projects');
  return join(projects, readdirSync(projects).find((name) => /^p[0-9a-f]{16}$/.test(name)) ?? '');
}

/** What people read of commits and refs, in the person's repository and in ours: not the files, which are the agent's work. */
function addCommits(): void {
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', args, { cwd, env: { PATH: process.env.PATH, HOME: field.folder }, encoding: 'utf8' });
  for (const folder of [field.project, join(state(), 'work.git')]) {
    const ids = git(folder, 'rev-list', '--all').split('\n').filter(Boolean);
    const name = folder === field.project ? 'the repository' : 'our repository';
    sinks.set(`commits of ${name}`, ids.map((id) => git(folder, 'cat-file', 'commit', id)).join('\n'));
    sinks.set(`refs of ${name}`, git(folder, 'for-each-ref'));
  }
}

function addFiles(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    // The agent's own files, and lists of their names; messages of commits are looked at below.
    if (/\/checkouts\/\d+\/(tree\/|index$)|\/work\.git\/objects\//.test(name)) continue;
    // Tasks that a person wrote.
    if (statSync(path).isFile() && name !== 'tasks.json')
      sinks.set(`the file ${name}`, `${name}\n${readFileSync(path, 'utf8')}`);
    else sinks.set('names of folders', `${sinks.get('names of folders') ?? ''}${name}\n`);
  }
}

/** Eight characters in a row of a known value, also in hex and reversed, and whole tokens. */
function leftIn(text: string): readonly string[] {
  const known = PLANTED.secrets.slice(0, Object.keys(PLANTED.env).length);
  const parts = known.flatMap((value) => Array.from({ length: value.length - 7 }, (_, at) => value.slice(at, at + 8)));
  const whole = PLANTED.secrets.filter((secret) => text.includes(secret));
  const hex = known
    .map((value) => Buffer.from(value).toString('hex'))
    .filter((form) => text.toLowerCase().includes(form));
  const reversed = known.map((value) => [...value].reverse().join('')).filter((form) => text.includes(form));
  return [...parts.filter((part) => text.includes(part)), ...whole, ...hex, ...reversed];
}

test('more than two hundred are planted, and all of them are there where a person or the agent wrote them', () => {
  expect(new Set(PLANTED.secrets).size).toBeGreaterThan(200);
  const leaked = readFileSync(join(state(), 'checkouts/1/tree/leaked.txt'), 'utf8');
  expect(PLANTED.secrets.filter((secret) => !leaked.includes(secret))).toEqual([]);
});

test('the run went through everything that can leak', () => {
  expect([...sinks.keys()]).toEqual(
    expect.arrayContaining([
      'prompt',
      'processes',
      'history',
      'export',
      'metrics',
      'the next prompt',
      "the dashboard's /state",
    ]),
  );
  expect(sinks.get('commits of the repository')).toMatch(/^Revert "Make a, with \[redacted\]".*^Foreword-Task: a$/ms);
  expect(sinks.get('commits of our repository')).toMatch(/^Attempt 1 at a by alpha$/m);
  expect(sinks.get('refs of our repository')).toMatch(/^\S+ commit\s+refs\/foreword\/tasks-[0-9a-f]{4}\/tasks\/a\/1$/m);
  const names = [...sinks.keys()].join('\n');
  for (const part of ['attempt-1.log', 'attempt-3.log', 'foreword.db', 'session-state.json', 'search.db'])
    expect(names).toContain(part);
  expect(sinks.get('prompt')).toContain('[redacted]');
  expect(sinks.get('history')).toContain('[redacted]');
  expect(sinks.get('search')).toContain('notes.md');
  expect(JSON.parse(sinks.get("the dashboard's /state") ?? '')).toBeTruthy();
});

test('none of them is in a prompt, a record, a log, a page, a message or the list of processes', () => {
  const found = [...sinks].flatMap(([name, text]) =>
    leftIn(text)
      .slice(0, 3)
      .map((left) => `${name}: ${left}`),
  );
  expect(found).toEqual([]);
});
