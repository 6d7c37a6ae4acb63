// `run.notify`: a command of the person that is run when they are needed.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { foreword } from '../foreword.ts';
import { type Field, fileTask, makeField } from './field.ts';

const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');
let field: Field | undefined;
afterEach(() => field?.remove());

const readCalls = (file: string) =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];

test('it gets a task that failed and the end of the run, each once; the one behind it calls nobody', async () => {
  field = makeField({
    agents: { first: ['always-wrong'] },
    tasks: [fileTask('a', { retry_policy: { max_retries: 0 } }), fileTask('b', { depends_on: ['a'] })],
    settings: { run: { notify: ['sh', '-c', 'cat >> ../calls.jsonl'] } },
  });
  const { status, stderr } = await field.run();
  expect([status, stderr]).toEqual([1, '']);
  const calls = readCalls(join(field.folder, 'calls.jsonl'));
  expect(calls).toEqual([
    expect.objectContaining({ kind: 'task-finished', task: 'a', status: 'failed', project: field.project }),
    expect.objectContaining({ kind: 'run-finished', text: 'the run ended: 1 failed, 1 blocked' }),
  ]);
  expect(calls[0].text).toMatch(/^a: failed: validation failed 1 time\(s\)/);
});

test('one that fails is a note, and the run ends as it would', async () => {
  field = makeField({
    agents: { first: ['works'] },
    tasks: [fileTask('a')],
    settings: { run: { notify: ['sh', '-c', 'echo no bus >&2; exit 7'] } },
  });
  const { status, stderr } = await field.run();
  expect([status, stderr]).toEqual([0, 'foreword: run.notify exited with 7: no bus\n']);
});

test('that of a repository runs only when the person agreed to it, and as they agreed to it', async () => {
  field = makeField({ agents: { first: ['works'] }, tasks: [fileTask('a')] });
  const at = { cwd: field.project, env: { HOME: field.folder } };
  const config = JSON.parse(readFileSync(join(field.folder, 'config.json'), 'utf8'));
  const put = (path: string, text: string) => writeFileSync(join(field?.project ?? '', path), text, { mode: 0o755 });
  put('.foreword/config.json', JSON.stringify({ ...config, run: { ...config.run, notify: ['./call.sh'] } }));
  put('call.sh', '#!/bin/sh\ncat >> ../calls.jsonl\n');
  const calls = join(field.folder, 'calls.jsonl');
  const run = (...more: string[]) => foreword(['run', join(field?.folder ?? '', 'tasks.json'), ...more], at);
  const first = await run('--dry-run');
  expect(first.stderr).toContain(
    'lineup, agents, run.notify, run.allow in .foreword/config.yaml are ignored until you agree',
  );
  spawnSync('script', ['-qec', `${process.execPath} ${MAIN} trust --yes`, '/dev/null'], {
    cwd: field.project,
    env: { PATH: process.env.PATH, HOME: field.folder, FOREWORD_CHECKOUTS: field.folder, TERM: 'dumb' },
  });
  expect((await run()).status).toBe(0);
  expect(readCalls(calls)).toMatchObject([{ kind: 'run-finished', text: 'the run ended: 1 completed' }]);
  put('call.sh', '#!/bin/sh\ntouch ../evil\n');
  expect((await run('--again')).stderr).toContain('are ignored until you agree');
  expect(existsSync(join(field.folder, 'evil'))).toBe(false);
});
