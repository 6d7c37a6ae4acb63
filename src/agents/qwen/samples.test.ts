// What it printed, or prints by its own source, and what that means.

import { checkSamples, TALK } from '../../../test/agent-samples.ts';
import { agent } from './index.ts';

const ended = (more: object) => ({ type: 'result', subtype: 'success', session_id: 's', num_turns: 1, ...more });
const failed = (message: string) => [
  { type: 'system', subtype: 'init' },
  { type: 'result', subtype: 'error_during_execution', is_error: true, error: { message } },
];

checkSamples(agent, [
  { what: 'answer', stdout: [ended({ is_error: false, result: 'Done.' })], is: { answer: 'Done.' } },
  { what: 'talk', stdout: [ended({ is_error: false, result: TALK })], is: { answer: TALK } },
  { what: 'login', exit: 1, stdout: failed('[API Error: 401 STUB error 401]'), is: 'auth' },
  {
    what: 'rate limit',
    exit: 1,
    stdout: failed(
      '[API Error: 429 STUB error 429]\nPossible quota limitations in place or slow response times detected.',
    ),
    is: 'rate_limit',
  },
  {
    what: 'quota',
    exit: 1,
    stdout: failed('[API Error: 429 insufficient_quota: You exceeded your current quota]'),
    is: 'quota',
  },
  { what: 'overload', exit: 1, stdout: failed('[API Error: 529 STUB error 529]'), is: 'overload' },
  { what: 'not set up', exit: 1, stderr: 'No auth type is selected. Please configure one.', is: 'setup' },
  { what: 'budget', exit: 55, stderr: 'Budget exceeded', is: 'other' },
  { what: 'garbage', stdout: '[{"type"', is: { answer: '' } },
]);
