import { expect, test } from 'vitest';
import type { AgentResult, ErrorClass } from '../../kernel/agent.ts';
import type { AttemptRecord } from '../../kernel/attempt.ts';
import type { LastSession } from '../../kernel/task.ts';
import { mayResume, needsNewSession, type ResumeFacts } from './resume.ts';

const SESSION = '01a1e6bb-2eb6-78e3-818f-9fae703a8c18';

/** A first attempt whose validation failed. */
function attempt(more: Partial<AttemptRecord> = {}): AttemptRecord {
  return {
    attemptNumber: 1,
    provider: 'codex',
    timestamp: '2026-01-01T00:00:00.000Z',
    files_created: [],
    files_updated: [],
    files_deleted: [],
    status: 'failed',
    validationErrors: ['tests fail'],
    exitReason: 'validation_failure',
    durationMs: 1,
    session: SESSION,
    ...more,
  };
}

const LAST: LastSession = { attempt: 1, cwd: '/checkouts/1', start: 'c0', program: 'p', shown: {} };

function facts(more: Partial<ResumeFacts> = {}): ResumeFacts {
  const { cwd, start, program } = LAST;
  return { agent: 'codex', canResume: true, holdout: 0, hasHandover: true, cwd, start, program, last: LAST, ...more };
}

/** Each another failure: equal ones are a loop. */
const ERRORS = ['no file', 'no test', 'no route', 'no docs'];

function row(...records: readonly Partial<AttemptRecord>[]): AttemptRecord[] {
  return records.map((record, index) =>
    attempt({ attemptNumber: index + 1, validationErrors: [ERRORS[index] ?? ''], ...record }),
  );
}

const at = (number: number): Partial<ResumeFacts> => ({ last: { ...LAST, attempt: number } });
const SAME = { validationErrors: ['the same'] };
const UNMERGED = {
  verdict: { outcome: 'failed', results: [{ criterion: 'merge', by: 'merge', outcome: 'failed' }] },
} as unknown as Partial<AttemptRecord>;

const CASES: readonly (readonly [string, readonly AttemptRecord[], Partial<ResumeFacts>])[] = [
  ['failed validation', row({}), {}],
  ['interrupted, and it had answered', row({ exitReason: 'interrupted' }), {}],
  [
    'a rate limit in the middle, and nobody else works',
    row({ exitReason: 'circuit_breaker', exitClass: 'rate_limit' }),
    {},
  ],
  ['sent back by a person', row({ exitReason: undefined, status: 'completed' } as object), {}],
  ['resumed once', row({}, { isResumed: true }), at(2)],
  ['resumed twice', row({}, { isResumed: true }, { isResumed: true }), at(3)],
  ['a new session after two that were resumed', row({}, { isResumed: true }, { isResumed: true }, {}), at(4)],
  ['nothing before it', [], { last: undefined }],
  ['another agent before it', row({ provider: 'claude' }), {}],
  ['another agent in between', row({}, { provider: 'claude' }), at(2)],
  ['an agent that cannot', row({}), { canResume: false }],
  ['a control group', row({}), { holdout: 0.1 }],
  ['hand-overs turned off', row({}), { hasHandover: false }],
  ['a loop warning', row(SAME, SAME, SAME), at(3)],
  ['no output at all', row({ exitReason: 'execution_error', exitClass: 'silence' }), {}],
  ['a hang', row({ exitReason: 'timeout', exitClass: 'hang' }), {}],
  ['a timeout', row({ exitReason: 'timeout' }), {}],
  ['a crash', row({ exitReason: 'execution_error', exitClass: 'crash' }), {}],
  ['an imported record', row({ imported: true }), {}],
  ['an agent that named no session', row({ session: undefined } as object), { last: undefined }],
  ['its supervisor was killed', row({ exitReason: 'interrupted', session: undefined } as object), { last: undefined }],
  ['an id that is a flag', row({ session: '--dangerously-skip-permissions' }), {}],
  ['an id that is a word', row({ session: 'latest' }), {}],
  ['what is known is of an earlier attempt', row({}, {}), at(1)],
  ['in conflict with the branch', row(UNMERGED), {}],
  ['merged into a branch that moved', row({}), { start: 'c1' }],
  ['another checkout', row({}), { cwd: '/checkouts/2' }],
  ['an update of the agent', row({}), { program: 'q' }],
  ['a program that cannot be looked at', row({}), { program: '', last: { ...LAST, program: '' } }],
];

test('a retry by the same agent goes on in its session; the table has every reason against it', () => {
  const lines = CASES.map(([name, attempts, more]) => {
    const choice = mayResume(attempts, facts(more));
    return `${name}: ${choice.kind === 'resume' ? 'resume' : `new session, ${choice.because}`}`;
  });
  expect(lines).toMatchInlineSnapshot(`
    [
      "failed validation: resume",
      "interrupted, and it had answered: resume",
      "a rate limit in the middle, and nobody else works: resume",
      "sent back by a person: resume",
      "resumed once: resume",
      "resumed twice: new session, resumed twice",
      "a new session after two that were resumed: resume",
      "nothing before it: new session, first attempt",
      "another agent before it: new session, other agent",
      "another agent in between: new session, other agent",
      "an agent that cannot: new session, agent cannot resume",
      "a control group: new session, control group",
      "hand-overs turned off: new session, no hand-over",
      "a loop warning: new session, loop",
      "no output at all: new session, hang",
      "a hang: new session, hang",
      "a timeout: new session, agent failed",
      "a crash: new session, agent failed",
      "an imported record: new session, imported",
      "an agent that named no session: new session, unknown session",
      "its supervisor was killed: new session, unknown session",
      "an id that is a flag: new session, unknown session",
      "an id that is a word: new session, unknown session",
      "what is known is of an earlier attempt: new session, unknown session",
      "in conflict with the branch: new session, other files",
      "merged into a branch that moved: new session, other files",
      "another checkout: new session, other folder",
      "an update of the agent: new session, other version",
      "a program that cannot be looked at: new session, other version",
    ]
  `);
});

test('the session is that of the last attempt', () => {
  const attempts = row({ session: 'ses_0123456789abcdefghijklmnop' }, {});
  expect(mayResume(attempts, facts(at(2)))).toEqual({ kind: 'resume', session: SESSION });
});

const CLASSES: readonly ErrorClass[] = [
  'quota',
  'rate_limit',
  'overload',
  'auth',
  'setup',
  'network',
  'context',
  'missing',
  'crash',
  'silence',
  'other',
];

test('a session that cannot be resumed is given up for a new one, but not where the next would fail as well', () => {
  const kinds: readonly (readonly [string, { session?: string; isGone: boolean; answer: string }])[] = [
    ['named no session', { isGone: false, answer: '' }],
    ['named it', { session: SESSION, isGone: false, answer: '' }],
    ['named it, and reported it gone', { session: SESSION, isGone: true, answer: '' }],
    ['had answered', { session: SESSION, isGone: false, answer: 'so far' }],
  ];
  const results: readonly (readonly [string, (answer: string) => AgentResult])[] = [
    ...CLASSES.map((one): [string, (answer: string) => AgentResult] => [
      one,
      (answer) => ({ kind: 'failed', class: one, message: '', answer }),
    ]),
    ['ended with 0', (answer) => ({ kind: 'answered', answer })],
  ];
  const table = results.map(([name, result]) => {
    const cells = kinds.map(([, { answer, ...ran }]) => needsNewSession({ end: {}, result: result(answer), ...ran }));
    return `${name.padEnd(13)}${cells.map((cell) => (cell ? 'new' : '·').padEnd(5)).join('')}`.trimEnd();
  });
  expect([`columns: ${kinds.map(([name]) => name).join('; ')}`, ...table]).toMatchInlineSnapshot(`
    [
      "columns: named no session; named it; named it, and reported it gone; had answered",
      "quota        ·    ·    ·    ·",
      "rate_limit   ·    ·    ·    ·",
      "overload     ·    ·    ·    ·",
      "auth         ·    ·    ·    ·",
      "setup        new  ·    new  ·",
      "network      ·    ·    ·    ·",
      "context      new  new  new  ·",
      "missing      ·    ·    ·    ·",
      "crash        new  ·    new  ·",
      "silence      ·    ·    ·    ·",
      "other        new  ·    new  ·",
      "ended with 0 new  ·    ·    ·",
    ]
  `);
  const gone = { result: { kind: 'failed', class: 'other', message: '', answer: '' }, isGone: true } as const;
  expect(needsNewSession({ ...gone, end: { endedBy: 'caller' } })).toBe(false);
});
