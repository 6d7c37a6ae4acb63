// What it printed, or prints by its own source, and what that means.

import { checkSamples, TALK } from '../../../test/agent-samples.ts';
import { agent } from './index.ts';

const message = (message: object) => ({ type: 'message_end', message: { role: 'assistant', ...message } });
const failed = (errorMessage: string) => [message({ content: [], stopReason: 'error', errorMessage })];
const says = (text: string) => [
  message({
    content: [
      { type: 'thinking', thinking: 'x' },
      { type: 'text', text },
    ],
    stopReason: 'stop',
  }),
  { type: 'agent_end', messages: [] },
];

checkSamples(agent, [
  { what: 'answer', stdout: says('Done.'), is: { answer: 'Done.' } },
  { what: 'talk', stdout: says(TALK), is: { answer: TALK } },
  { what: 'rate limit with a good end', stdout: failed('429: {"message":"STUB error 429"}'), is: 'rate_limit' },
  { what: 'rate limit on standard error', exit: 1, stderr: '429: {"message":"STUB error 429"}', is: 'rate_limit' },
  {
    what: 'usage limit',
    stdout: failed('You have hit your ChatGPT usage limit (plus plan). Try again in ~42 min.'),
    is: 'quota',
    resetAt: '2026-11-15T21:42:00.000Z',
  },
  { what: 'login', stdout: failed('401: {"message":"STUB error 401"}'), is: 'auth' },
  { what: 'no models', exit: 1, stderr: 'Warning: No models available. Use /login', is: 'auth' },
  { what: 'overload', stdout: failed('529 overloaded'), is: 'overload' },
  {
    what: 'retries that helped',
    stdout: [...failed('529 overloaded'), ...says('Done.')],
    is: { answer: 'Done.' },
  },
  {
    what: 'retries that were cut off',
    exit: 143,
    stdout: [{ type: 'auto_retry_start', attempt: 1, errorMessage: '529 overloaded' }],
    is: 'overload',
  },
  { what: 'garbage', stdout: 'null\n[]\n"x"\n7', is: { answer: '' } },
]);
