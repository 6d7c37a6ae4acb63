import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { defineTask, type TaskInput } from '../config/define.ts';
import { isForewordError } from '../kernel/errors.ts';
import { refuseLoadFaults } from './load-faults.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'foreword-load-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function faultsOf(task: Partial<TaskInput>, lineup?: readonly string[], isPrepared = false) {
  const tasks = [defineTask({ task_id: 'a', instructions: 'x', ...task })];
  try {
    refuseLoadFaults({ tasks, lineup, agents: ['claude', 'codex'], root, searchPath: '/usr/bin:/bin', isPrepared });
    return [];
  } catch (error) {
    if (!isForewordError(error)) throw error;
    return [error.code, ...error.faults.map(({ path, message }) => `${path}: ${message}`)];
  }
}

const checked = (...checks: object[]) => ({
  acceptance_criteria: checks.map((check) => ({ text: 'c', check })) as NonNullable<TaskInput['acceptance_criteria']>,
});

test('everything that can be known before an agent is paid is found, all at once', () => {
  const task = {
    ...checked(
      { file_contains: { path: '../secret', pattern: '(?<=a)b' } },
      { file_exists: '/etc/passwd' },
      { command: ['no-such-program-here', 'x'] },
      { command: ['/nowhere/at/all'] },
    ),
    agents: ['codx'],
    targets: ['src/{a,b', 'src/[a', '../**', 'src/../x', 'x\\'],
  };
  expect(faultsOf(task, ['claud'])).toMatchInlineSnapshot(`
    [
      "bad-input",
      ": No such agent "claud"; did you mean claude?",
      "acceptance_criteria[0].check.file_contains.path: "../secret" leads out of the project; a path begins at its root.",
      "acceptance_criteria[0].check.file_contains.pattern: Not a valid pattern: look-ahead and look-behind are not supported.",
      "acceptance_criteria[1].check.file_exists: "/etc/passwd" leads out of the project; a path begins at its root.",
      "agents[0]: No such agent "codx"; did you mean codex?",
      "targets[0]: "src/{a,b" has a { that is not closed; \\{ is the character itself.",
      "targets[1]: "src/[a" has a [ that is not closed; \\[ is the character itself.",
      "targets[2]: "../**" leads out of the repository.",
      "targets[3]: "src/../x" has a .. that is not at its start, so it matches nothing.",
      "targets[4]: "x\\\\" ends with a \\, which takes the next character as it is.",
      "acceptance_criteria[2].check.command[0]: The program "no-such-program-here" is neither on the PATH nor in node_modules/.bin.",
      "acceptance_criteria[3].check.command[0]: The program "/nowhere/at/all" is not there.",
    ]
  `);
});

test('a machine that lacks a program is another fault than a wrong file', () => {
  expect(faultsOf(checked({ command: ['no-such-program-here'] }))).toEqual([
    'missing-program',
    'acceptance_criteria[0].check.command[0]: The program "no-such-program-here" is neither on the PATH nor in node_modules/.bin.',
  ]);
});

test('a program that run.prepare may install is not refused', () => {
  expect(faultsOf(checked({ command: ['no-such-program-here'] }), undefined, true)).toEqual([]);
});

test('what the task may make itself, and what the project brings, is not refused', () => {
  mkdirSync(join(root, 'node_modules/.bin'), { recursive: true });
  writeFileSync(join(root, 'node_modules/.bin/own-tool'), '#!/bin/sh\n', { mode: 0o755 });
  const task = {
    ...checked(
      { command: ['./made-by-the-task.sh'] },
      { command: ['scripts/later'] },
      { command: ['own-tool'] },
      { command: ['sh', '-c', 'no-such-program-here'] },
      { file_exists: 'not/there/../yet' },
      { not_file_contains: { path: './a', pattern: '^x$' } },
    ),
    agents: ['codex'],
    targets: ['src/**', '/', '.', 'app/[id]/page.tsx', '{a,b}', 'a\\[b', 'x}'],
  };
  expect(faultsOf(task, ['claude'])).toEqual([]);
});

test('a project in a folder of a repository may have targets beside it, not beyond the repository', () => {
  mkdirSync(join(root, '.git/objects'), { recursive: true });
  mkdirSync(join(root, '.git/refs'));
  writeFileSync(join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
  root = join(root, 'packages/web');
  mkdirSync(root, { recursive: true });
  try {
    expect(faultsOf({ targets: ['../lib/**', '../../docs/**'] })).toEqual([]);
    expect(faultsOf({ targets: ['../../../x'] })).toEqual([
      'bad-input',
      'targets[0]: "../../../x" leads out of the repository.',
    ]);
  } finally {
    root = join(root, '../..');
  }
});

test('the same fault in sixty tasks is one line, with how many and which', () => {
  const check = { command: ['no-such-program-here'] };
  const acceptance_criteria = [{ text: 'c', check }] as NonNullable<TaskInput['acceptance_criteria']>;
  const tasks = Array.from({ length: 60 }, (_, index) =>
    defineTask({ task_id: `t${index}`, instructions: 'x', acceptance_criteria }),
  );
  const request = { tasks, lineup: undefined, agents: [], root, searchPath: '/usr/bin:/bin', isPrepared: false };
  expect(() => refuseLoadFaults(request)).toThrow(
    expect.objectContaining({
      message: 'The tasks have 1 fault(s); nothing was begun.',
      faults: [
        expect.objectContaining({
          message:
            'The program "no-such-program-here" is neither on the PATH nor in node_modules/.bin. The same in 59 more tasks: t1, t2, t3, t4, t5 and 54 more.',
        }),
      ],
    }),
  );
});

test('a task that is there twice in one call is refused, with its name', () => {
  const task = defineTask({ task_id: 'twin', instructions: 'x' });
  const request = { lineup: undefined, agents: [], root, searchPath: '/usr/bin:/bin', isPrepared: false };
  expect(() => refuseLoadFaults({ ...request, tasks: [task, { ...task }, task] })).toThrow(
    expect.objectContaining({
      code: 'bad-input',
      faults: [{ where: 'task twin', path: '', message: 'It is there more than once; a run does a task once.' }],
    }),
  );
});

test('a task as people write it, handed in by code, is refused with the function that completes it', () => {
  const request = { lineup: undefined, agents: [], root, searchPath: '/usr/bin:/bin', isPrepared: false };
  const written = { task_id: 'a', instructions: 'x' } as never;
  expect(() => refuseLoadFaults({ ...request, tasks: [written] })).toThrow(
    expect.objectContaining({ code: 'bad-usage', hint: expect.stringContaining('defineTask') }),
  );
});
