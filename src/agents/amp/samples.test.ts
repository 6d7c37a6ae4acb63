// What it printed, or prints by its own source, and what that means.

import { checkSamples, TALK } from '../../../test/agent-samples.ts';
import { agent } from './index.ts';

const ended = (more: object) => ({ type: 'result', subtype: 'success', session_id: 's', num_turns: 1, ...more });

checkSamples(agent, [
  { what: 'answer', stdout: [ended({ is_error: false, result: 'Done.' })], is: { answer: 'Done.' } },
  { what: 'talk', stdout: [ended({ is_error: false, result: TALK })], is: { answer: TALK } },
  {
    what: 'an error in the result',
    exit: 1,
    stdout: [ended({ is_error: true, error: 'Out of Credits', subtype: 'error_during_execution' })],
    is: 'quota',
  },
  { what: 'credits', exit: 1, stderr: 'Error: Out of Credits. Add more at https://ampcode.com.', is: 'quota' },
  {
    what: 'no login',
    exit: 1,
    stderr: 'No API key found. Starting login flow...\nLogin failed: That code looks incomplete.',
    is: 'auth',
  },
  {
    what: 'no network',
    exit: 1,
    stderr: "Error: Couldn't connect to the Amp server at https://ampcode.com/.\n\nCheck your network connection.",
    is: 'network',
  },
  { what: 'rate limit', exit: 1, stderr: 'Error: Too Many Requests', is: 'rate_limit' },
  { what: 'garbage', exit: 1, stdout: 'x', stderr: '???', is: 'crash', message: '???' },
]);
