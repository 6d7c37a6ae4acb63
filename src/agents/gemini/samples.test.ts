// What it printed, or prints by its own source, and what that means.

import { checkSamples, TALK } from '../../../test/agent-samples.ts';
import { agent } from './index.ts';

const says = (...pieces: string[]) => [
  { type: 'init', session_id: 's', model: 'm' },
  { type: 'message', role: 'user', content: 'task' },
  { type: 'message', role: 'assistant', content: 'I look.', delta: true },
  { type: 'tool_use', tool_name: 'read_file' },
  { type: 'tool_result', status: 'error', output: 'rate limit exceeded' },
  ...pieces.map((content) => ({ type: 'message', role: 'assistant', content, delta: true })),
  { type: 'result', status: 'success', stats: {} },
];
const failed = (type: string, message: string) => [
  { type: 'init', session_id: 's' },
  { type: 'result', status: 'error', error: { type, message } },
];

checkSamples(agent, [
  { what: 'answer', stdout: says('Do', 'ne.'), is: { answer: 'Done.' } },
  { what: 'talk', stdout: says(TALK.slice(0, 20), TALK.slice(20)), is: { answer: TALK } },
  {
    what: 'daily quota',
    exit: 173,
    stdout: failed('TerminalQuotaError', '[API Error: You have exhausted your daily quota on this model.]'),
    is: 'quota',
  },
  {
    what: 'quota with its time',
    exit: 173,
    stdout: failed('TerminalQuotaError', 'You have exhausted your capacity. Your quota will reset after 5h32m10s.'),
    is: 'quota',
    resetAt: '2026-11-16T02:32:10.000Z',
  },
  {
    what: 'quota of a minute',
    exit: 173,
    stdout: failed('RetryableQuotaError', 'Quota exceeded for metric: x, limit: 5\nPlease retry in 12.3s.'),
    is: 'rate_limit',
    resetAt: '2026-11-15T21:00:12.300Z',
  },
  {
    what: 'rate limit of an unknown type',
    exit: 173,
    stdout: failed(
      'unknown',
      '[API Error: {"error":{"message":"STUB error 429","code":429}}]\nPossible quota limitations in place or slow response times detected.',
    ),
    is: 'rate_limit',
  },
  {
    what: 'retries that were cut off',
    exit: 143,
    stdout: [{ type: 'init' }],
    stderr:
      'YOLO mode is enabled.\nAttempt 1 failed with status 429. Retrying with backoff... _ApiError: x\n    at f (file:///x.js:401:24)\n',
    is: 'rate_limit',
  },
  {
    what: 'login',
    exit: 145,
    stdout: failed('unknown', '[API Error: {"error":{"message":"STUB error 401","code":401}}]'),
    is: 'auth',
  },
  { what: 'no login', exit: 41, stderr: 'Please set an Auth method in your settings.json', is: 'auth' },
  {
    what: 'untrusted',
    exit: 55,
    stderr: '\u001b[31mGemini CLI is not running in a trusted directory. To proceed, use `--skip-trust`.\u001b[0m',
    is: 'setup',
  },
  { what: 'overload', exit: 247, stdout: failed('unknown', 'The model is not there now.'), is: 'overload' },
  { what: 'turns', exit: 53, stdout: failed('FatalTurnLimitedError', 'Reached max turns'), is: 'other' },
  { what: 'warning', stdout: [{ type: 'error', severity: 'warning', message: 'rate limit' }], is: { answer: '' } },
  { what: 'garbage', stdout: '\ufffd{"type":"message"', is: { answer: '' } },
]);
