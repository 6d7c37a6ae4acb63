// What it printed, or prints by its own source, and what that means.

import { checkSamples, TALK } from '../../../test/agent-samples.ts';
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
