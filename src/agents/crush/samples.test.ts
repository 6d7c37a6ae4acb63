// What it printed, or prints by its own source, and what that means.

import { checkSamples, TALK } from '../../../test/agent-samples.ts';
import { agent } from './index.ts';

checkSamples(agent, [
  { what: 'answer', stdout: 'Done.\n', is: { answer: 'Done.' } },
  { what: 'talk', stdout: TALK, is: { answer: TALK } },
  {
    what: 'not set up',
    exit: 1,
    stderr: "ERROR no providers configured - please run 'crush' to set up a provider interactively",
    is: 'setup',
  },
  { what: 'login', exit: 1, stderr: 'ERROR Unauthorized: invalid x-api-key', is: 'auth' },
  { what: 'rate limit', exit: 1, stderr: 'ERROR Provider Error: 429 Too Many Requests', is: 'rate_limit' },
  { what: 'quota', exit: 1, stderr: 'ERROR Provider Error: insufficient_quota', is: 'quota' },
  { what: 'overload', exit: 1, stderr: 'ERROR Provider Error: Overloaded', is: 'overload' },
  { what: 'talk, then a bad end', exit: 1, stdout: TALK, stderr: 'ERROR odd', is: 'other', message: 'ERROR odd' },
  { what: 'garbage', stdout: '\u0000\ufffd', is: { answer: '\u0000\ufffd' } },
]);
