import { expect, test } from 'vitest';
import { type ForewordError, isForewordError } from '../kernel/errors.ts';
import { defineAgent, defineTask } from './define.ts';
import { defineAttempt } from './define-attempt.ts';

test('a task of an id and instructions is complete', () => {
  expect(defineTask({ task_id: 'health', instructions: 'Add GET /health.' })).toEqual({
    task_id: 'health',
    intent: '',
    instructions: 'Add GET /health.',
    acceptance_criteria: [],
    depends_on: [],
    priority: 1000,
    targets: [],
    retry_policy: { max_retries: 3 },
    timeout_s: 1800,
    options: {},
  });
});

test('a wrong task is refused with every fault and its path', () => {
  const error = thrown(() => defineTask({ task_id: 'a', priority: 'soon', timeout_s: 0, instructions: 'x' }));
  expect(error).toMatchObject({ code: 'bad-input', faults: [{ path: 'priority' }, { path: 'timeout_s' }] });
  expect(String(error)).toContain('priority: ');
});

test('a task without instructions cannot be run, and the fault names that', () => {
  expect(thrown(() => defineTask({ task_id: 'a' } as never))).toMatchObject({ faults: [{ path: 'instructions' }] });
});

test('an agent with a command is complete', () => {
  const agent = defineAgent({ name: 'mine', interactive: { command: ['mine'] }, composer: { line: '^> ?(.*)$' } });
  expect(agent).toMatchObject({
    name: 'mine',
    env: [],
    errors: [],
    interactive: {
      command: ['mine'],
      submit: { key: 'enter', delayMs: 300 },
      proofs: expect.arrayContaining(['submitted']),
    },
  });
});

test('an attempt of an agent and what it changed is complete', () => {
  expect(defineAttempt({ provider: 'codex', files_created: ['a.js'], timestamp: '2026-01-01T00:00:00.000Z' })).toEqual({
    attemptNumber: 1,
    provider: 'codex',
    timestamp: '2026-01-01T00:00:00.000Z',
    files_created: ['a.js'],
    files_updated: [],
    files_deleted: [],
    status: 'completed',
    validationErrors: [],
    durationMs: 0,
  });
  expect(Date.parse(defineAttempt({ provider: 'codex' }).timestamp)).toBeGreaterThan(0);
});

test.each([
  ['errors of its checks', { validationErrors: ['404'] }, 'validation_failure'],
  ['a limit of its agent', { exitClass: 'rate_limit' }, 'circuit_breaker'],
  ['a crash', { exitClass: 'crash' }, 'execution_error'],
  ['the word failed alone', { status: 'failed' }, 'execution_error'],
] as const)('an attempt with %s failed, and has a reason', (_, input, exitReason) => {
  expect(defineAttempt({ provider: 'codex', ...input })).toMatchObject({ status: 'failed', exitReason });
});

test('a wrong attempt is refused with every fault and its path', () => {
  const error = thrown(() => defineAttempt({ provider: '', file_updated: [] } as never));
  expect(error).toMatchObject({ code: 'bad-input' });
  for (const part of ['provider: ', 'file_updated: ']) expect(String(error)).toContain(part);
  expect(String(thrown(() => defineAttempt({ provider: 'codex', files_created: 'a.js' } as never)))).toContain(
    'files_created: must be a list, not string.',
  );
  expect(thrown(() => defineAttempt(undefined as never))).toMatchObject({ code: 'bad-input' });
});

test.each([
  ['nothing at all', undefined, 'an object with name'],
  ['no name', { oneshot: { command: ['x'], prompt: 'stdin' } }, 'name: Missing'],
  ['no command', { name: 'mine' }, 'Has no command'],
  ['a misspelt key', { name: 'mine', oneshot: { command: ['x'], promt: 'stdin' } }, 'promt'],
  ['a name nobody can type', { name: 'My Agent', interactive: { command: ['x'] } }, 'name'],
  [
    'a pattern that may never end',
    { name: 'mine', interactive: { command: ['x'] }, screens: [{ state: 'busy', text: '(?<=a)b' }] },
    'pattern',
  ],
])('an agent with %s is refused', (_, input, text) => {
  const error = thrown(() => defineAgent(input as never));
  expect(error).toMatchObject({ code: 'bad-input' });
  expect(String(error)).toContain(text);
});

function thrown(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    expect(isForewordError(error)).toBe(true);
    return error;
  }
  throw new Error('nothing was thrown');
}

test('an empty task and an empty agent are refused with all that they lack', () => {
  expect(thrown(() => defineTask({} as never))).toMatchObject({
    faults: [{ path: 'task_id' }, { path: 'instructions' }],
  });
  expect(thrown(() => defineAgent({} as never))).toMatchObject({ faults: [{ path: 'name' }, { path: '' }] });
});

test('a key of a task that nobody reads is refused, with the one that is meant', () => {
  const error = thrown(() => defineTask({ task_id: 'a', instructions: 'x', criteria: [], retries: 1 } as never));
  expect(error).toMatchObject({ faults: [{ path: 'criteria' }, { path: 'retries' }] });
  const near = thrown(() => defineTask({ task_id: 'a', instructions: 'x', timeout: 1 } as never));
  expect(String(near)).toContain('did you mean timeout_s?');
});

test('a wrong name and a blank text do not hide the other faults', () => {
  const faultsOf = (make: () => unknown): readonly string[] => {
    try {
      make();
    } catch (error) {
      return (error as ForewordError).faults.map(({ path }) => path);
    }
    return [];
  };
  const settings = { oneshot: { command: [], prompt: 'stdin' }, submit: 3 };
  for (const name of ['X y', undefined])
    expect(faultsOf(() => defineAgent({ ...settings, name } as never)).slice(1)).toEqual(['oneshot.command', 'submit']);
  expect(faultsOf(() => defineTask({ task_id: 'a', instructions: ' ', targets: 3 } as never))).toEqual([
    'targets',
    'instructions',
  ]);
});
