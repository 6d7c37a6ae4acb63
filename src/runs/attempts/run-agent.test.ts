import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Agent, Oneshot } from '../../kernel/agent.ts';
import type { NewEvent } from '../../kernel/events.ts';
import type { ProcessEnd, ProcessRequest } from '../../kernel/process.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { openRoom } from '../box/box.ts';
import { runAgent } from './run-agent.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-agent-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ONESHOT: Oneshot = { command: ['mine', '-p'], prompt: 'stdin', output: { format: 'text' }, firstOutputS: 9 };
const AGENT: Agent = {
  name: 'mine',
  env: ['MINE_KEY'],
  errors: [{ class: 'quota', exitCodes: [7] }],
  oneshot: ONESHOT,
};

const stream = (text: string) => ({ text, bytes: text.length });
const ended = (exitCode: number, more: Partial<ProcessEnd> = {}): ProcessEnd => ({
  exitCode,
  signal: null,
  stdout: stream('the answer'),
  stderr: stream(''),
  durationMs: 5,
  ...more,
});

async function run(agent: Agent, end: ProcessEnd = ended(0), isReadOnly = false) {
  const started: ProcessRequest[] = [];
  const events: NewEvent[] = [];
  const asked: unknown[] = [];
  const ended = await runAgent(
    {
      variables: { PATH: '/bin', HOME: '/home/me', MINE_KEY: 'k', OTHER_KEY: 'o' },
      clock: manualClock(),
      emit: async (event) => void events.push(event),
      hookRecords: (from) => {
        asked.push({ ...from, isThere: existsSync(from.folder) });
        return [{ kind: 'agent-session-ended', session: from.attempt, agent: from.agent, reason: '' }];
      },
    },
    {
      agent,
      isReadOnly,
      prompt: 'Do it.',
      cwd: '/work',
      room: openRoom('/work', 'a test', async (request) => {
        started.push(request);
        return end;
      }),
      timeoutMs: 1000,
      root: '/project',
      folder,
      name: 'attempt-2',
      attempt: 'a#2',
    },
    new AbortController().signal,
  );
  return { ...ended, started, events, asked };
}

test('an agent that only looks gets the command and the variables that keep it from writing', async () => {
  const oneshot = {
    ...ONESHOT,
    readOnly: ['mine', '--plan'],
    set: { QUIET: '1' },
    readOnlySet: { MAY: 'read' },
  } as const;
  const looks = (await run({ ...AGENT, oneshot }, ended(0), true)).started[0];
  expect([looks?.command, looks?.env.QUIET, looks?.env.MAY]).toEqual([['mine', '--plan'], '1', 'read']);
  const works = (await run({ ...AGENT, oneshot })).started[0];
  expect([works?.command, works?.env.QUIET, works?.env.MAY]).toEqual([['mine', '-p'], '1', undefined]);
});

test('the prompt goes to standard input, with the variables the agent names and no others', async () => {
  const { started, result } = await run(AGENT);
  expect(started).toEqual([
    {
      command: ['mine', '-p'],
      cwd: '/work',
      env: { PATH: '/bin', HOME: '/home/me', MINE_KEY: 'k', FOREWORD_STATE: join(folder, 'attempt-2-hooks') },
      input: 'Do it.',
      timeoutMs: 1000,
      firstOutputMs: 9000,
      logFile: join(folder, 'attempt-2.log'),
    },
  ]);
  expect(result).toEqual({ kind: 'answered', answer: 'the answer' });
});

test('an agent that reads a file finds the prompt in it', async () => {
  const { started } = await run({ ...AGENT, oneshot: { ...ONESHOT, prompt: 'file', set: { MINE_QUIET: '1' } } });
  const file = join(folder, 'attempt-2-prompt.md');
  expect(started[0]).toMatchObject({ command: ['mine', '-p', file], env: { MINE_QUIET: '1' } });
  expect(started[0]).not.toHaveProperty('input');
  expect(readFileSync(file, 'utf8')).toBe('Do it.');
});

test('a line about a retry is recognised by the pattern of the agent', async () => {
  const { started } = await run({ ...AGENT, oneshot: { ...ONESHOT, retryLine: 'retrying in \\d+' } });
  const { onLine } = started[0] ?? {};
  const lines = ['Retrying in 5 s', 'done', 'Retrying in 9 s'];
  expect(lines.map((line) => onLine?.(line, 'stderr'))).toEqual([undefined, undefined, 'retrying']);
});

test('an end is classified by the rules of the agent', async () => {
  const { result } = await run(AGENT, ended(7, { stdout: stream(''), stderr: stream('no credits left') }));
  expect(result).toMatchObject({ kind: 'failed', class: 'quota' });
});

test('an agent that only runs in a terminal is not started', async () => {
  const { oneshot: _, ...interactive } = AGENT;
  const { started, end, result } = await run(interactive);
  expect(started).toEqual([]);
  expect(end.startError).toBe('mine has no way to run without a terminal');
  expect(result.kind).toBe('failed');
});

test('the last lines of its error output are kept: bounded, without empty lines and control characters', async () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
  const text = `${lines.join('\r\n\n')}\n\u001b[31mred\n${'x'.repeat(5000)}\n\n`;
  const { stderr } = await run(AGENT, ended(1, { stderr: stream(text) }));
  expect(stderr.split('\n')).toEqual([...lines.slice(12), '␛[31mred', `${'x'.repeat(200)}...`]);
  expect((await run(AGENT)).stderr).toBe('');
});

test('hooks keep their records in a folder of the attempt, which is read and removed at its end', async () => {
  const { events, asked } = await run(AGENT);
  const hooks = join(folder, 'attempt-2-hooks');
  expect(asked).toEqual([{ folder: hooks, root: '/work', agent: 'mine', attempt: 'a#2', isThere: true }]);
  expect(events).toEqual([{ kind: 'agent-session-ended', session: 'a#2', agent: 'mine', reason: '' }]);
  expect(existsSync(hooks)).toBe(false);
});
