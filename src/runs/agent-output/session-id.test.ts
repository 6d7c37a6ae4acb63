import { expect, test } from 'vitest';
import type { Oneshot } from '../../kernel/agent.ts';
import { readSessionId, resumeCommand } from './session-id.ts';

const ID = '01a1e6bb-2eb6-78e3-818f-9fae703a8c18';
const ONESHOT: Oneshot = {
  command: ['agent', '-'],
  resume: { args: ['--resume={session}'] },
  prompt: 'stdin',
  output: { format: 'jsonl', session: { when: { type: 'init' }, id: 'session.id' }, rules: [] },
  firstOutputS: 1,
};
const named = (id: unknown) => JSON.stringify({ type: 'init', session: { id } });

test('the session is the first that the output names', () => {
  const lines = ['warning: something', '{"type":"other","session":{"id":"ses_of_something_else"}}', named(ID)];
  expect(readSessionId(ONESHOT, [...lines, named('ses_0123456789abcdefghijklmnop')].join('\n'))).toBe(ID);
  expect(readSessionId(ONESHOT, '{"type":"init"}\nnothing more')).toBeUndefined();
  const { resume: _, ...without } = ONESHOT;
  expect(readSessionId(without, named(ID))).toBeUndefined();
});

const HOSTILE = [
  '--dangerously-skip-permissions',
  '-c sandbox_mode="danger-full-access"',
  '--config=/tmp/evil.toml-------',
  '../../../../home/me/.ssh/id_rsa',
  '/home/me/.codex/sessions/one',
  `${ID} --yolo`,
  `${ID}\n--yolo`,
  `${ID}\0`,
  `$(touch /tmp/x)${ID}`,
  'latest',
  '12345',
  '',
  'a'.repeat(129),
  'ıııııııııııııııııııı',
  { toString: ID },
  ['--yolo', ID],
];

test.each(HOSTILE)('an agent that prints %j as its session is not resumed', (id) => {
  expect(readSessionId(ONESHOT, named(id))).toBeUndefined();
  // The first counts: a later line of a tool does not replace it either.
  expect(readSessionId(ONESHOT, `${named(id)}\n${named(ID)}`)).toBe(
    id === '' || typeof id === 'object' ? ID : undefined,
  );
});

test('an id from a store is checked once more before it becomes an argument', () => {
  expect(resumeCommand(ONESHOT, ID)).toEqual(['agent', `--resume=${ID}`, '-']);
  for (const id of HOSTILE) if (typeof id === 'string') expect(resumeCommand(ONESHOT, id)).toBeUndefined();
});
