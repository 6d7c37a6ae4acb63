import { describe, expect, test } from 'vitest';
import type { Agent } from '../../kernel/agent.ts';
import { commandFor } from '../../kernel/agent.ts';
import type { ProcessEnd } from '../../kernel/process.ts';
import { makeMatcher } from '../../system/patterns/linear.ts';
import { classify } from './classify.ts';
import { COMMON_RULES } from './common-errors.ts';

const agent: Agent = {
  name: 'mine',
  oneshot: {
    command: ['mine'],
    prompt: 'stdin',
    firstOutputS: 60,
    output: {
      format: 'jsonl',
      rules: [
        { when: { say: '*' }, answer: 'say' },
        { when: { error: '*' }, error: { message: 'error', code: 'code', status: 'status', resetsAt: 'at' } },
        { when: { notice: '*' }, error: { message: 'notice', status: 'status', isNotice: true } },
      ],
    },
  },
  env: [],
  errors: [
    { class: 'quota', codes: ['gone'], exitCodes: [9] },
    { class: 'auth', text: 'who are you' },
  ],
};

const NOW = Date.parse('2026-11-15T21:00:00Z');
const matches = makeMatcher();

function run(
  given: Partial<Omit<ProcessEnd, 'stdout' | 'stderr'>> & { stdout?: readonly object[]; stderr?: string } = {},
) {
  const { stdout = [], stderr = '', ...rest } = given;
  const text = stdout.map((value) => JSON.stringify(value)).join('\n');
  const end: ProcessEnd = {
    exitCode: 0,
    signal: null,
    durationMs: 1_800_400,
    ...rest,
    stdout: { text, bytes: text.length },
    stderr: { text: stderr, bytes: stderr.length },
  };
  return classify(agent, end, { now: NOW, matches });
}

describe('how the process ended', () => {
  test.each([
    [{ startError: 'spawn mine ENOENT', exitCode: null }, 'missing', 'did not start: spawn mine ENOENT'],
    [{ startError: 'spawn mine EACCES', exitCode: null }, 'setup', 'did not start: spawn mine EACCES'],
    [{ endedBy: 'silence', signal: 'SIGTERM', exitCode: null }, 'silence', 'printed nothing for 60 s'],
    [{ endedBy: 'timeout', signal: 'SIGKILL', exitCode: null }, 'other', 'timed out after 1800 s'],
    [{ endedBy: 'caller', signal: 'SIGTERM', exitCode: null }, 'other', 'was stopped'],
    [{ signal: 'SIGSEGV', exitCode: null }, 'crash', 'ended by SIGSEGV'],
    [{ exitCode: 3 }, 'crash', 'ended with status 3'],
  ] as const)('%j', (end, kind, message) => {
    expect(run(end)).toEqual({ kind: 'failed', class: kind, message, answer: '' });
  });

  test('an agent that was stopped while it retried is classified by its lines about retries', () => {
    const end = { endedBy: 'caller', signal: 'SIGTERM', exitCode: null } as const;
    expect(run({ ...end, stdout: [{ notice: 'Retrying', status: 429 }] })).toMatchObject({ class: 'rate_limit' });
  });

  test('one that had answered did not crash', () => {
    expect(run({ exitCode: 3, stdout: [{ say: 'Half done' }], stderr: 'at the end\n\n' })).toEqual({
      kind: 'failed',
      class: 'other',
      message: 'at the end',
      answer: 'Half done',
    });
  });
});

describe('order', () => {
  const error = { error: 'Rate limit: who are you?', code: 'gone', status: 503 };
  test('code, the agent’s words, common words, status, exit status, standard error', () => {
    const kinds = [
      run({ stdout: [error] }),
      run({ stdout: [{ ...error, code: 'x' }] }),
      run({ stdout: [{ ...error, code: 'x', error: 'Rate limit' }] }),
      run({ stdout: [{ ...error, code: 'x', error: 'odd' }], exitCode: 9 }),
      run({ stdout: [{ error: 'odd' }], exitCode: 9, stderr: 'who are you' }),
      run({ stdout: [{ error: 'odd' }], exitCode: 1, stderr: 'WHO ARE YOU\nbye' }),
      run({ stdout: [{ error: 'odd' }], exitCode: 1, stderr: 'bye' }),
    ];
    expect(kinds.map((result) => result.kind === 'failed' && result.class)).toEqual([
      'quota',
      'auth',
      'rate_limit',
      'overload',
      'quota',
      'auth',
      'other',
    ]);
  });

  test('the last error counts, and one that ended the run before one reported on the way', () => {
    const stdout = [
      { error: 'odd', status: 401 },
      { error: 'odd', status: 402 },
      { notice: 'x', status: 429 },
    ];
    expect(run({ stdout })).toMatchObject({ class: 'quota' });
  });

  test('a notice alone is no failure, nor is anything on standard error after a good end', () => {
    expect(run({ stdout: [{ notice: 'rate limit', status: 429 }], stderr: 'rate limit exceeded' })).toEqual({
      kind: 'answered',
      answer: '',
    });
  });

  test.each([
    ["You've hit your session rate limit.", 'rate_limit'],
    ["You've hit your session limit · resets 1:10am (UTC)", 'quota'],
    ['429 {"error":{"type":"insufficient_quota"}}', 'quota'],
    ['HTTP 401: invalid credentials, rate limit info missing', 'auth'],
    ['    at main (file:///app/index.js:429:503)', 'crash'],
    ['took 401 ms, 503 files', 'crash'],
  ])('%s', (stderr, kind) => {
    expect(run({ exitCode: 1, stderr })).toMatchObject({ class: kind });
  });
});

describe('times and messages', () => {
  test('the field is surer than the words; only limits have a time', () => {
    const at = NOW + 60_000;
    const said = 'usage limit reached, resets 1:10am (UTC)';
    expect(run({ stdout: [{ error: said, at }] })).toMatchObject({ resetAt: at });
    expect(run({ stdout: [{ error: said }] })).toMatchObject({ resetAt: NOW + 15_000_000 });
    expect(run({ stdout: [{ error: 'overloaded, retry in 5s', status: 529, at }] })).toMatchObject({
      class: 'rate_limit',
    });
    expect(run({ stdout: [{ error: 'overloaded', at }] })).not.toHaveProperty('resetAt');
  });

  test('a message is one safe line of at most 200 characters', () => {
    const result = run({ exitCode: 1, stderr: `\u001b[31mError:\u001b[0m \u0007${'x'.repeat(5000)}` });
    expect(result).toMatchObject({ message: expect.stringMatching(/^Error: ␇x+\.\.\.x+$/) });
    expect(result.kind === 'failed' && result.message.length).toBe(200);
  });
});

test('common patterns are ones a linear-time engine takes', () => {
  for (const { text } of COMMON_RULES) if (text !== undefined) expect(() => matches(text, 'x')).not.toThrow();
  expect(COMMON_RULES.every(({ text }) => text === undefined || !/\(\?[=!<]|\\[1-9]/.test(text))).toBe(true);
});

describe('the command', () => {
  const given = { prompt: '--help me', promptFile: '/run/prompt.md' };
  const oneshot = { command: ['mine', '--fast'], output: { format: 'text' }, firstOutputS: 1 } as const;

  test('has the prompt on standard input, in a file named last, or behind --', () => {
    expect(commandFor({ ...oneshot, prompt: 'stdin' }, given)).toEqual({
      command: ['mine', '--fast'],
      input: '--help me',
    });
    expect(commandFor({ ...oneshot, prompt: 'file' }, given)).toEqual({
      command: ['mine', '--fast', '/run/prompt.md'],
    });
    expect(commandFor({ ...oneshot, prompt: 'argument' }, given)).toEqual({
      command: ['mine', '--fast', '--', '--help me'],
    });
  });

  test('or as it is, where the message has it', () => {
    const command = ['mine', '--message={prompt}', '-'] as const;
    const prompt = 'costs $& and {prompt}';
    expect(commandFor({ ...oneshot, command, prompt: 'argument' }, { ...given, prompt })).toEqual({
      command: ['mine', '--message=costs $& and {prompt}', '-'],
    });
  });
});
