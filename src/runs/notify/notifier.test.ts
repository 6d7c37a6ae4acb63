import { expect, test } from 'vitest';
import type { NewEvent } from '../../kernel/events.ts';
import type { ProcessEnd, ProcessRequest } from '../../kernel/process.ts';
import type { Task } from '../../kernel/task.ts';
import { openNotifier } from './notifier.ts';

const NOW = Date.parse('2026-11-16T22:00:00Z');
const task = (task_id: string, depends_on: readonly string[] = []): Task => ({
  task_id,
  intent: '',
  instructions: '',
  acceptance_criteria: [],
  depends_on,
  priority: 1000,
  targets: [],
  retry_policy: { max_retries: 1 },
  timeout_s: 1,
  options: {},
});

function desk(how: { readonly end?: Partial<ProcessEnd>; readonly refusal?: string } = {}) {
  const requests: ProcessRequest[] = [];
  const notes: string[] = [];
  const nothing = { text: '', bytes: 0 };
  const notifier = openNotifier({
    command: ['/bin/true', '--now'],
    root: '/project',
    tasks: [task('a'), task('b', ['a']), task('c')],
    variables: { PATH: '/bin', DISPLAY: ':0', KEY: 'x' },
    startProcess: async (request) => {
      requests.push(request);
      return { exitCode: 0, signal: null, stdout: nothing, stderr: nothing, durationMs: 1, ...how.end };
    },
    now: () => NOW,
    redact: (text) => text.replaceAll('hunter2', '[redacted]'),
    refusal: () => how.refusal,
    note: (text) => notes.push(text),
  });
  const see = async (...events: readonly NewEvent[]) => {
    for (const event of events) notifier.see(event);
    await notifier.settled();
  };
  return { requests, notes, see, texts: () => requests.map(({ input = '' }) => JSON.parse(input).text) };
}

const finished = (
  name: string,
  status: 'failed' | 'blocked' | 'needs-review' | 'completed',
  reason?: string,
): NewEvent => ({
  kind: 'task-finished',
  task: name,
  status,
  attempts: 1,
  ...(reason === undefined ? {} : { reason }),
});
const waits = (minutes: number): NewEvent => ({
  kind: 'run-waiting',
  reason: 'first: quota',
  until: new Date(NOW + minutes * 60_000).toISOString(),
});

test('the command gets the event on its input, without secrets, in the project and with few variables', async () => {
  const { requests, see } = desk();
  await see(finished('a', 'failed', 'the password is hunter2'));
  expect(requests).toEqual([
    {
      command: ['/bin/true', '--now'],
      cwd: '/project',
      env: { PATH: '/bin', DISPLAY: ':0' },
      input: `${JSON.stringify({
        at: '2026-11-16T22:00:00.000Z',
        project: '/project',
        text: 'a: failed: the password is [redacted]',
        kind: 'task-finished',
        task: 'a',
        status: 'failed',
        attempts: 1,
        reason: 'the password is [redacted]',
      })}\n`,
      timeoutMs: 10_000,
    },
  ]);
});

test('a person is called once for each thing, and not for what follows from it', async () => {
  const { see, texts } = desk();
  await see(finished('c', 'completed'), finished('a', 'needs-review'), finished('a', 'needs-review'));
  await see(finished('b', 'blocked', 'depends on a'), waits(5), waits(60), waits(60));
  await see({
    kind: 'run-finished',
    completed: 1,
    failed: 0,
    blocked: 1,
    needsReview: 1,
    durationMs: 1,
    isInterrupted: false,
  });
  expect(texts()).toEqual([
    'a: needs-review',
    'no agent is available until 2026-11-16T23:00:00.000Z (first: quota)',
    'the run ended: 1 completed, 1 blocked, 1 needs review',
  ]);
});

test('a run that was stopped calls nobody', async () => {
  const { see, texts } = desk();
  await see({
    kind: 'run-finished',
    completed: 1,
    failed: 0,
    blocked: 0,
    needsReview: 0,
    durationMs: 1,
    isInterrupted: true,
  });
  expect(texts()).toEqual([]);
});

test('a command that fails is noted, and after three times it is left alone', async () => {
  const { see, notes, requests } = desk({ end: { exitCode: 7, stderr: { text: 'no bus\n', bytes: 7 } } });
  await see(finished('a', 'failed'), finished('c', 'failed'), waits(20), waits(30), waits(40));
  expect(notes).toEqual([
    'run.notify exited with 7: no bus',
    'run.notify exited with 7: no bus',
    'run.notify exited with 7: no bus; it is not run again in this run',
  ]);
  expect(requests.length).toBe(3);
});

test('a command whose file changed since a person agreed to it is not run', async () => {
  const { see, notes, requests } = desk({ refusal: 'tools/call.sh changed' });
  await see(finished('a', 'failed'));
  expect([requests.length, notes]).toEqual([0, ['run.notify was not run: tools/call.sh changed']]);
});
