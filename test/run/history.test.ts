// Why an attempt ended as it did, without opening a log file: what `history` shows.

import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { type Field, fileTask, makeField } from './field.ts';

let field: Field | undefined;
afterEach(() => field?.remove());

test('history shows why an agent crashed: its error output, the end of the process, its log and its work', async () => {
  const noise = [
    '-c',
    'cat > /dev/null; for i in $(seq 1 40); do echo "frame $i" >&2; done; echo x > half; kill -SEGV $$',
  ];
  field = makeField({
    agents: { first: ['works'], second: ['works'] },
    tasks: [fileTask('a', { agents: ['first', 'second'] })],
    settings: { breaker: { failures: 1 } },
  });
  field.change('first', ({ oneshot }) => ({ oneshot: { ...oneshot, command: ['sh', ...noise] } }));
  expect((await field.run()).status).toBe(0);
  const [crashed] = await field.attempts('a');
  expect(crashed).toMatchObject({ exitClass: 'crash', exitMessage: 'ended by SIGSEGV', files_created: ['half'] });
  expect(crashed?.stderr?.split('\n')).toEqual(Array.from({ length: 20 }, (_, index) => `frame ${index + 21}`));
  const { stdout } = await field.command('history', 'a', '--attempt', '1');
  for (const line of ['ended by SIGSEGV', '    frame 40', `log: ${crashed?.log}`, 'foreword diff a --attempt 1'])
    expect(stdout).toContain(line);
  expect(stdout).not.toContain('frame 20\n');
  expect(readFileSync(crashed?.log ?? '', 'utf8')).toContain('frame 1\n');
});

test('history shows the reason why a task needs review, every validation error, and the commands for it', async () => {
  const criteria = [
    { text: 'the file says done', check: { file_contains: { path: 'done-a.txt', pattern: '^done$' } } },
    { text: 'there is another', check: { file_exists: 'other.txt' } },
  ];
  const task = fileTask('a', { acceptance_criteria: criteria, retry_policy: { max_retries: 0 } });
  const open = fileTask('b', { acceptance_criteria: ['it is pretty'] });
  field = makeField({ agents: { first: ['always-wrong'] }, tasks: [task, open] });
  const { stdout, status: code } = await field.run();
  expect(code).toBe(1);
  // The run's last lines name everything that a person can do next.
  const last = stdout.slice(stdout.indexOf('Needs you:'));
  for (const id of ['a', 'b'])
    for (const command of [`diff ${id}`, `accept ${id}`, `reject ${id} --because TEXT`])
      expect(last).toContain(`    foreword ${command}\n`);
  const failed = (await field.command('history', 'a')).stdout;
  expect(failed).toContain('a: failed: ');
  expect(failed.match(/^ {2}failed: /gm)).toHaveLength(2);
  expect(failed).toContain('foreword accept a\n');
  const undecided = (await field.command('history', 'b')).stdout;
  expect(undecided).toContain('b: needs-review: ');
  expect(undecided).toContain('  not decided: it is pretty');
  const { status, reason, commands, attempts } = JSON.parse((await field.command('history', 'b', '--json')).stdout);
  expect({ status, reason, commands }).toEqual({
    status: 'needs-review',
    reason: expect.stringContaining('it is pretty'),
    commands: ['foreword diff b', 'foreword accept b', 'foreword reject b --because TEXT'],
  });
  expect(attempts).toMatchObject([{ attemptNumber: 1, diff: 'foreword diff b --attempt 1' }]);
});
