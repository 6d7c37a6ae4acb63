// What it printed, or prints by its own source, and what that means.

import { expect, test } from 'vitest';
import { checkSamples, TALK } from '../../../test/agent-samples.ts';
import { makeMatcher } from '../../system/patterns/linear.ts';
import { agent } from './index.ts';

const failed = (message: string) => [
  { type: 'thread.started', thread_id: 't' },
  { type: 'item.completed', item: { id: 'i', type: 'error', message: 'Model metadata not found.' } },
  { type: 'error', message: `Reconnecting... 1/5 (${message})` },
  { type: 'error', message },
  { type: 'turn.failed', error: { message } },
];
const says = (text: string) => [
  { type: 'item.completed', item: { id: 'c', type: 'command_execution', aggregated_output: '429 Too Many Requests' } },
  { type: 'item.completed', item: { id: 'i', type: 'agent_message', text } },
  { type: 'turn.completed', usage: {} },
];

const WAITS = 'rate limit exceeded: Rate limit reached for x on tokens per min. Please try again in 42.5s. Visit us.';

checkSamples(agent, [
  { what: 'answer', stdout: says('Done.'), is: { answer: 'Done.' } },
  { what: 'talk', stdout: says(TALK), is: { answer: TALK } },
  {
    what: 'usage limit with a date',
    exit: 1,
    stdout: failed('You’ve hit your usage limit. Upgrade to Pro or try again at Nov 17th, 2026 3:05 PM.'),
    is: 'quota',
    resetAt: '2026-11-17T15:05:00.000Z',
  },
  {
    what: 'quota',
    exit: 1,
    stdout: failed('Quota exceeded. Check your plan and billing details.'),
    is: 'quota',
  },
  {
    what: 'rate limit',
    exit: 1,
    stdout: failed('exceeded retry limit, last status: 429 Too Many Requests'),
    is: 'rate_limit',
    message: 'exceeded retry limit, last status: 429 Too Many Requests',
  },
  {
    what: 'rate limit in the stream of an answer, ended while it waits',
    exit: 143,
    stdout: [{ type: 'error', message: `Reconnecting... 1/5 (${WAITS})` }],
    is: 'rate_limit',
    resetAt: '2026-11-15T21:00:42.500Z',
  },
  {
    what: 'overload',
    exit: 1,
    stdout: failed('We’re currently experiencing high demand, which may cause temporary errors.'),
    is: 'overload',
  },
  {
    what: 'overload by status',
    exit: 1,
    stdout: failed('unexpected status 529 <unknown status code>: x, url: https://api.example.com/v1/responses'),
    is: 'overload',
  },
  {
    what: 'login',
    exit: 1,
    stdout: failed('unexpected status 401 Unauthorized: x, url: https://api.example.com/v1/responses'),
    is: 'auth',
  },
  { what: 'token', exit: 1, stdout: failed('Your access token could not be refreshed.'), is: 'auth' },
  { what: 'no key', exit: 1, stdout: failed('Missing environment variable: `X_KEY`.'), is: 'auth' },
  { what: 'network', exit: 1, stdout: failed('stream disconnected before completion: x'), is: 'network' },
  {
    what: 'context',
    exit: 1,
    stdout: failed("Codex ran out of room in the model's context window."),
    is: 'context',
  },
  {
    what: 'untrusted',
    exit: 1,
    stderr: 'Not inside a trusted directory and --skip-git-repo-check was not specified.',
    is: 'setup',
  },
  {
    what: 'something else',
    exit: 1,
    stdout: failed('The moon is full.'),
    is: 'other',
    message: 'The moon is full.',
  },
  {
    what: 'reconnecting helped, only files were written',
    stdout: [{ type: 'error', message: 'Reconnecting... 1/5 (unexpected status 401 )' }, { type: 'turn.completed' }],
    is: { answer: '' },
  },
  { what: 'garbage', exit: 1, stdout: '\ufffd\ufffd not json {{{', is: 'crash' },
]);

test.each([
  ['42.5s', true],
  ['10s', true],
  ['1m30s', true],
  ['6m0s', true],
  ['2h', true],
  // It is back before another agent has started.
  ['9.2s', false],
  ['800ms', false],
])('a limit in the stream that asks for %s: ended at once is %s', (wait, isEnded) => {
  const said = `Reconnecting... 1/5 (${WAITS.replace('42.5s', wait)})`;
  const { limitLine = '', retryLine = '' } = agent.oneshot ?? {};
  const matches = makeMatcher();
  expect(matches(limitLine, JSON.stringify({ type: 'error', message: said }))).toBe(isEnded);
  expect(matches(retryLine, JSON.stringify({ type: 'error', message: said }))).toBe(true);
  // Words of the model are an item.
  expect(matches(limitLine, JSON.stringify({ type: 'item.completed', item: { text: said } }))).toBe(false);
});
