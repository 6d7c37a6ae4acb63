// What it printed, or prints by its own source, and what that means.

import { checkSamples, TALK } from '../../../test/agent-samples.ts';
import { agent } from './index.ts';

const ended = (more: object) => ({ type: 'result', subtype: 'success', session_id: 's', num_turns: 1, ...more });

checkSamples(agent, [
  { what: 'answer', stdout: [ended({ is_error: false, result: 'Done.' })], is: { answer: 'Done.' } },
  { what: 'talk', stdout: [ended({ is_error: false, result: TALK })], is: { answer: TALK } },
  {
    what: 'usage limit',
    exit: 1,
    stderr: "Error: You've hit your usage limit. Your usage limits will reset when your cycle ends on 12/1/2026.",
    is: 'quota',
  },
  { what: 'free limit', exit: 1, stderr: "You've hit your free requests limit.", is: 'quota' },
  { what: 'rate limit', exit: 1, stderr: 'ConnectError: [resource_exhausted] Error', is: 'rate_limit' },
  { what: 'trust', exit: 1, stderr: 'Workspace Trust Required', is: 'setup' },
  { what: 'login', exit: 1, stderr: 'Not logged in. Set CURSOR_API_KEY.', is: 'auth' },
  { what: 'garbage', exit: 1, stdout: 'x', stderr: '???', is: 'crash', message: '???' },
]);
