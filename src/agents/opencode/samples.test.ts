// What it printed, or prints by its own source, and what that means.

import { checkSamples, TALK } from '../../../test/agent-samples.ts';
import { agent } from './index.ts';

const failed = (name: string, data: object) => [{ type: 'error', error: { name, data } }];
const says = (text: string) => [
  { type: 'step_start', part: {} },
  { type: 'text', part: { text } },
  { type: 'step_finish', part: { reason: 'stop' } },
];

checkSamples(agent, [
  { what: 'answer', stdout: says('Done.'), is: { answer: 'Done.' } },
  { what: 'talk', stdout: says(TALK), is: { answer: TALK } },
  {
    what: 'login',
    exit: 1,
    stdout: failed('APIError', { message: 'STUB error', statusCode: 401, isRetryable: false }),
    is: 'auth',
  },
  { what: 'provider', exit: 1, stdout: failed('ProviderAuthError', { message: 'x' }), is: 'auth' },
  {
    what: 'quota that is also a 429',
    exit: 1,
    stdout: failed('APIError', {
      message: 'Quota exceeded. Check your plan and billing details.',
      statusCode: 429,
    }),
    is: 'quota',
  },
  {
    what: 'usage limit with its time',
    exit: 1,
    stdout: failed('APIError', {
      message: 'Usage limit reached. It will reset in 3 hours.',
      statusCode: 429,
    }),
    is: 'quota',
    resetAt: '2026-11-16T00:00:00.000Z',
  },
  { what: 'free limit', exit: 1, stdout: failed('FreeUsageLimitError', {}), is: 'quota' },
  {
    what: 'rate limit',
    exit: 1,
    stdout: failed('APIError', { message: 'x', statusCode: 429 }),
    is: 'rate_limit',
  },
  {
    what: 'overload',
    exit: 1,
    stdout: failed('APIError', { message: 'Provider is overloaded' }),
    is: 'overload',
  },
  { what: 'error and a good end', stdout: failed('UnknownError', { message: 'odd' }), is: 'other' },
  {
    what: 'answered, then failed',
    exit: 1,
    stdout: [...says('Half.'), ...failed('APIError', { message: 'x', statusCode: 529 })],
    is: 'overload',
  },
  { what: 'garbage', stdout: '{"type":"text","part":', is: { answer: '' } },
]);
