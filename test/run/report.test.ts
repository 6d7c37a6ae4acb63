// `foreword report`: the page on a run, from the store alone.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { endWithTest } from '../processes/end-with-test.ts';
import { until } from '../processes/processes.ts';
import { type Field, fileTask, makeField } from './field.ts';

const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');
let field: Field | undefined;
afterEach(() => field?.remove());

test('before the first run it says so; after one it names done and failed work with the commands for it', async () => {
  field = makeField({
    agents: { first: ['rate-limited'], second: ['works-when-told'] },
    tasks: [
      fileTask('a'),
      fileTask('b', { retry_policy: { max_retries: 0 }, agents: ['second'] }),
      fileTask('c', { depends_on: ['b'] }),
    ],
  });
  expect(await field.command('report')).toEqual({
    status: 0,
    stdout: 'No run was made in this project yet. foreword run TASKS starts one.\n',
    stderr: '',
  });
  expect((await field.command('report', '--json')).stdout).toBe('null\n');
  await field.run();
  const { status, stdout, stderr } = await field.command('report');
  expect([status, stderr]).toEqual([0, '']);
  const id = field.branch().split('/').at(-1);
  expect(stdout).toMatch(
    new RegExp(`^# Run \`${id}\`\n\n\\*\\*1 of 3 tasks done, 1 failed, 1 blocked; 1 thing needs you\\.`),
  );
  expect(stdout).toMatch(/^1\. `b` failed: .* It holds back 1 task: `c`\.$/m);
  expect(stdout).toContain('   foreword diff b\n');
  expect(stdout).toMatch(/^- `[0-9a-f]{7}` `a` `Make a` \(by second, 2 attempts\)$/m);
  expect(stdout).toContain('- from first to second (`rate_limit`): `a`');
  expect(stdout).toContain('- second, 2 times: tokens unknown, cost unknown');
  expect(stdout).toMatch(
    /foreword diff\nforeword merge\nforeword run \.\.\/tasks\.json --config \S+config\.json\n```\n$/,
  );
  const file = join(field.folder, 'morning.md');
  expect(await field.command('report', `${id}`, '-o', file)).toEqual({ status: 0, stdout: '', stderr: '' });
  expect(readFileSync(file, 'utf8')).toBe(stdout);
  const json = JSON.parse((await field.command('report', '--json')).stdout);
  expect(json).toMatchObject({
    run: { id },
    statuses: { completed: 1, failed: 1, blocked: 1 },
    needs: [{ tasks: ['b'] }],
  });
  const unknown = await field.command('report', 'nope');
  expect([unknown.status, unknown.stderr]).toEqual([2, `foreword: There is no run "nope".\n  Runs: ${id} (open).\n`]);
  const nowhere = await field.command('report', '-o', join(field.folder, 'no/such/folder.md'));
  expect([nowhere.status, nowhere.stdout]).toEqual([2, '']);
});

test('a run whose supervisor was killed has a report, with the command that goes on', async () => {
  field = makeField({ agents: { first: ['works', '5000'] }, tasks: [fileTask('a')] });
  const env = { PATH: process.env.PATH, HOME: field.folder, FOREWORD_CHECKOUTS: field.folder };
  const run = endWithTest(spawn(process.execPath, [MAIN, ...field.args], { cwd: field.project, env }));
  const { ledger } = field;
  await until('the agent works', () => ledger().length > 0, 20_000);
  run.kill('SIGKILL');
  await new Promise((resolve) => run.once('exit', resolve));
  const { stdout } = await field.command('report');
  expect(stdout).toContain('; it was cut off: its supervisor is gone.');
  expect(stdout).toContain(`1. \`a\` was cut off: \`its supervisor (pid ${run.pid}) is gone\`.`);
});
