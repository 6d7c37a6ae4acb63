// What it printed, or prints by its own source, and what that means.

import { checkSamples, TALK } from '../../../test/agent-samples.ts';
import { agent } from './index.ts';

const ended = (more: object) => ({ type: 'result', subtype: 'success', session_id: 's', num_turns: 1, ...more });
const error = (result: string, api_error_status: number | null = null) => [
  { type: 'system', subtype: 'init', session_id: 's' },
  ended({ is_error: true, result, api_error_status }),
];
const limit = { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 1_794_790_800 } };

checkSamples(agent, [
  { what: 'answer', stdout: [ended({ is_error: false, result: 'Done.' })], is: { answer: 'Done.' } },
  { what: 'talk', stdout: [ended({ is_error: false, result: TALK })], is: { answer: TALK } },
  {
    what: 'session limit under the subtype success',
    exit: 1,
    stdout: error("You've hit your session limit · resets 1:10am (UTC)", 429),
    is: 'quota',
    resetAt: '2026-11-16T01:10:00.000Z',
  },
  {
    what: 'limit with its time in a field',
    exit: 1,
    stdout: [limit, ...error("You've reached your weekly limit", 429)],
    is: 'quota',
    resetAt: '2026-11-16T01:00:00.000Z',
  },
  {
    what: 'window used up, credits pay',
    stdout: [limit, ended({ is_error: false, result: 'Done.' })],
    is: { answer: 'Done.' },
  },
  { what: 'credits', exit: 1, stdout: error('Credit balance is too low', 400), is: 'quota' },
  {
    what: 'rate limit',
    exit: 1,
    stdout: error('API Error: Request rejected (429) · STUB error 429', 429),
    is: 'rate_limit',
  },
  {
    what: 'limit that is not the usage limit',
    exit: 1,
    stdout: error('API Error: Server is temporarily limiting requests (not your usage limit)', 429),
    is: 'rate_limit',
  },
  {
    what: 'overload',
    exit: 1,
    stdout: error('API Error: 529 x. This is a server-side issue, usually temporary', 529),
    is: 'overload',
  },
  { what: 'server', exit: 1, stdout: error('API Error: 500 x', 500), is: 'overload' },
  {
    what: 'login',
    exit: 1,
    stdout: error('Failed to authenticate. API Error: 401 STUB error 401', 401),
    is: 'auth',
  },
  { what: 'no login', exit: 1, stdout: error('Not logged in · Please run /login'), is: 'auth' },
  {
    what: 'login that may be the network',
    exit: 1,
    stdout: error('Authentication error · This may be a temporary network issue, please try again'),
    is: 'network',
  },
  {
    what: 'retries that were cut off',
    exit: 143,
    stdout: [{ type: 'system', subtype: 'api_retry', error_status: 529, error: 'overloaded' }],
    is: 'overload',
  },
  {
    what: 'a wait that its service asked for',
    exit: 143,
    stdout: [{ type: 'system', subtype: 'api_retry', error_status: 429, error: 'rate_limit', retry_delay_ms: 30_000 }],
    is: 'rate_limit',
    resetAt: '2026-11-15T21:00:30.000Z',
  },
  {
    what: 'pauses of its own, after which it gave up: nobody named a time',
    exit: 1,
    stdout: [
      { type: 'system', subtype: 'api_retry', error_status: 429, error: 'rate_limit', retry_delay_ms: 518 },
      { type: 'system', subtype: 'api_retry', error_status: 429, error: 'rate_limit', retry_delay_ms: 2165 },
      ...error('API Error: Request rejected (429) · Too many.', 429),
    ],
    is: 'rate_limit',
  },
  {
    what: 'too many turns',
    exit: 1,
    stdout: [{ type: 'result', subtype: 'error_max_turns', is_error: true, errors: ['Reached max turns (3)'] }],
    is: 'other',
  },
  {
    what: 'root',
    exit: 1,
    stderr: '--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons',
    is: 'setup',
  },
  { what: 'prompt too long', exit: 1, stdout: error('Prompt is too long', 400), is: 'context' },
  { what: 'garbage', stdout: 'warning: x\n{"type":"result","is_error"\n\u0000{}', is: { answer: '' } },
  {
    what: 'retries that helped',
    stdout: [
      { type: 'system', subtype: 'api_retry', error_status: 429, error: 'rate_limit' },
      { type: 'assistant', message: { content: [{ type: 'text', text: TALK }] } },
      ended({ is_error: false, result: 'Done.' }),
    ],
    is: { answer: 'Done.' },
  },
]);
