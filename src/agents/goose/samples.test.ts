// What it printed, or prints by its own source, and what that means.

import { checkSamples, TALK } from '../../../test/agent-samples.ts';
import { agent } from './index.ts';

const piece = (text: string) => ({
  type: 'message',
  message: { id: 'm', role: 'assistant', content: [{ type: 'text', text }] },
});

checkSamples(agent, [
  { what: 'answer', stdout: [piece('Do'), piece('ne.'), { type: 'complete' }], is: { answer: 'Done.' } },
  { what: 'talk', stdout: [piece(TALK), { type: 'complete' }], is: { answer: TALK } },
  { what: 'rate limit', stdout: [{ type: 'error', error: 'Rate limit exceeded: x' }], is: 'rate_limit' },
  { what: 'login', exit: 1, stdout: [{ type: 'error', error: 'Authentication error: x' }], is: 'auth' },
  { what: 'server', stdout: [{ type: 'error', error: 'Server error: 500 x' }], is: 'overload' },
  {
    what: 'credits',
    stdout: [
      {
        type: 'message',
        message: {
          role: 'assistant',
          content: [{ type: 'systemNotification', notificationType: 'creditsExhausted', msg: 'Please add credits.' }],
        },
      },
    ],
    is: 'quota',
    message: 'Please add credits.',
  },
  { what: 'context', stdout: [{ type: 'error', error: 'Context length exceeded: x' }], is: 'context' },
  { what: 'garbage', stdout: 'starting session\n', is: { answer: '' } },
]);
