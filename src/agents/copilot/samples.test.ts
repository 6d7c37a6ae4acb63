// What it printed, or prints by its own source, and what that means.

import { checkSamples, TALK } from '../../../test/agent-samples.ts';
import { agent } from './index.ts';

const failed = (data: object) => [
  { type: 'user.message', data: { content: 'task' } },
  { type: 'model.call_failure', data: { statusCode: 429 } },
  { type: 'session.error', data },
  { type: 'result', exitCode: 1 },
];
const says = (content: string) => [
  { type: 'tool.execution_complete', data: { result: '429 rate limit' } },
  { type: 'assistant.message', data: { content } },
  { type: 'result', exitCode: 0 },
];

checkSamples(agent, [
  { what: 'answer', stdout: says('Done.'), is: { answer: 'Done.' } },
  { what: 'talk', stdout: says(TALK), is: { answer: TALK } },
  {
    what: 'session rate limit',
    exit: 1,
    stdout: failed({ errorType: 'query', message: "You've hit your session rate limit." }),
    is: 'rate_limit',
  },
  {
    what: 'weekly rate limit',
    exit: 1,
    stdout: failed({
      errorType: 'rate_limit',
      errorCode: 'user_weekly_rate_limited',
      message: "You've reached your weekly rate limit.",
    }),
    is: 'rate_limit',
  },
  {
    what: 'quota',
    exit: 1,
    stdout: failed({ errorType: 'quota', message: "You've run out of your AI credits.", statusCode: 402 }),
    is: 'quota',
  },
  {
    what: 'quota by its code alone',
    exit: 1,
    stdout: failed({ errorType: 'query', errorCode: 'session_quota_exceeded', message: 'No.' }),
    is: 'quota',
  },
  {
    what: 'login',
    exit: 1,
    stdout: failed({
      errorType: 'authentication',
      message: 'Authentication failed with provider at https://api.example.com/v1 (HTTP 401).\n  Check your key.',
      statusCode: 401,
    }),
    is: 'auth',
    message: 'Authentication failed with provider at https://api.example.com/v1 (HTTP 401). Check your key.',
  },
  { what: 'no login', exit: 1, stderr: 'Error: No authentication information found.', is: 'auth' },
  {
    what: 'rate limit after retries',
    exit: 1,
    stderr:
      'Failed to get response from the AI model; retried 5 times (total retry wait time: 54.74 seconds) Last error: 429 x',
    is: 'rate_limit',
  },
  {
    what: 'overload after retries',
    exit: 1,
    stderr:
      'Failed to get response from the AI model; retried 5 times (total retry wait time: 17.27 seconds) Last error: 529 x',
    is: 'overload',
  },
  { what: 'context', exit: 1, stdout: failed({ errorType: 'context_limit', message: 'x' }), is: 'context' },
  {
    what: 'an error it got over',
    stdout: [...failed({ errorType: 'query', message: 'x' }), ...says('Done.')],
    is: { answer: 'Done.' },
  },
  { what: 'garbage', stdout: '}{', is: { answer: '' } },
]);
