// What each agent printed, or prints by its own source, and what it means. An agent without samples fails.

import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentResult, ErrorClass } from '../kernel/agent.ts';
import type { ProcessEnd } from '../kernel/process.ts';
import { classify } from '../runs/agent-output/classify.ts';
import { compilePattern, makeMatcher } from '../system/patterns/linear.ts';
import { AGENTS } from './index.ts';

const NOW = Date.parse('2026-11-15T21:00:00Z');
const TALK =
  'I handled "429 rate limit exceeded", insufficient_quota and "You\'ve hit your usage limit" in src/retry.ts.';

interface Sample {
  readonly what: string;
  readonly stdout?: string | readonly object[];
  readonly stderr?: string;
  readonly exit?: number;
  readonly signal?: string;
  /** An answer, or the class of the failure. */
  readonly is: { readonly answer: string } | ErrorClass;
  readonly resetAt?: string;
  readonly message?: string;
}

function end({ stdout = '', stderr = '', exit = 0, signal }: Sample): ProcessEnd {
  const text = typeof stdout === 'string' ? stdout : stdout.map((one) => `${JSON.stringify(one)}\n`).join('');
  return {
    exitCode: signal === undefined ? exit : null,
    signal: signal ?? null,
    stdout: { text, bytes: Buffer.byteLength(text) },
    stderr: { text: stderr, bytes: Buffer.byteLength(stderr) },
    durationMs: 1000,
  };
}

const matches = makeMatcher();

const claudeResult = (more: object) => ({ type: 'result', subtype: 'success', session_id: 's', num_turns: 1, ...more });
const claudeError = (result: string, api_error_status: number | null = null) => [
  { type: 'system', subtype: 'init', session_id: 's' },
  claudeResult({ is_error: true, result, api_error_status }),
];
const claudeLimit = { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 1_794_790_800 } };
const codexFailed = (message: string) => [
  { type: 'thread.started', thread_id: 't' },
  { type: 'item.completed', item: { id: 'i', type: 'error', message: 'Model metadata not found.' } },
  { type: 'error', message: `Reconnecting... 1/5 (${message})` },
  { type: 'error', message },
  { type: 'turn.failed', error: { message } },
];
const codexSays = (text: string) => [
  { type: 'item.completed', item: { id: 'c', type: 'command_execution', aggregated_output: '429 Too Many Requests' } },
  { type: 'item.completed', item: { id: 'i', type: 'agent_message', text } },
  { type: 'turn.completed', usage: {} },
];
const geminiSays = (...pieces: string[]) => [
  { type: 'init', session_id: 's', model: 'm' },
  { type: 'message', role: 'user', content: 'task' },
  { type: 'message', role: 'assistant', content: 'I look.', delta: true },
  { type: 'tool_use', tool_name: 'read_file' },
  { type: 'tool_result', status: 'error', output: 'rate limit exceeded' },
  ...pieces.map((content) => ({ type: 'message', role: 'assistant', content, delta: true })),
  { type: 'result', status: 'success', stats: {} },
];
const geminiFailed = (type: string, message: string) => [
  { type: 'init', session_id: 's' },
  { type: 'result', status: 'error', error: { type, message } },
];
const copilotFailed = (data: object) => [
  { type: 'user.message', data: { content: 'task' } },
  { type: 'model.call_failure', data: { statusCode: 429 } },
  { type: 'session.error', data },
  { type: 'result', exitCode: 1 },
];
const copilotSays = (content: string) => [
  { type: 'tool.execution_complete', data: { result: '429 rate limit' } },
  { type: 'assistant.message', data: { content } },
  { type: 'result', exitCode: 0 },
];
const opencodeFailed = (name: string, data: object) => [{ type: 'error', error: { name, data } }];
const opencodeSays = (text: string) => [
  { type: 'step_start', part: {} },
  { type: 'text', part: { text } },
  { type: 'step_finish', part: { reason: 'stop' } },
];
const qwenFailed = (message: string) => [
  { type: 'system', subtype: 'init' },
  { type: 'result', subtype: 'error_during_execution', is_error: true, error: { message } },
];
const piMessage = (message: object) => ({ type: 'message_end', message: { role: 'assistant', ...message } });
const piFailed = (errorMessage: string) => [piMessage({ content: [], stopReason: 'error', errorMessage })];
const piSays = (text: string) => [
  piMessage({
    content: [
      { type: 'thinking', thinking: 'x' },
      { type: 'text', text },
    ],
    stopReason: 'stop',
  }),
  { type: 'agent_end', messages: [] },
];
const goosePiece = (text: string) => ({
  type: 'message',
  message: { id: 'm', role: 'assistant', content: [{ type: 'text', text }] },
});
const aiderSays = (text: string) =>
  `Aider v0.86.3\nModel: x\n\n${text}\n\nTokens: 2.1k sent, 13 received. Cost: $0.01 message.\nApplied edit to a.ts\n`;
const aiderFailed = (...lines: string[]) => `Aider v0.86.3\nModel: x\n\n${lines.join('\n')}\n`;

const COMMON: readonly Sample[] = [
  { what: 'killed', signal: 'SIGKILL', stdout: TALK, is: 'crash', message: 'ended by SIGKILL' },
  { what: 'nothing, and a bad end', exit: 1, is: 'crash', message: 'ended with status 1' },
  { what: 'no network', exit: 1, stderr: 'Error: getaddrinfo EAI_AGAIN api.example.com', is: 'network' },
  { what: 'no such interpreter', exit: 127, stderr: 'env: node: No such file or directory', is: 'missing' },
];

const SAMPLES: Readonly<Record<string, readonly Sample[]>> = {
  claude: [
    { what: 'answer', stdout: [claudeResult({ is_error: false, result: 'Done.' })], is: { answer: 'Done.' } },
    { what: 'talk', stdout: [claudeResult({ is_error: false, result: TALK })], is: { answer: TALK } },
    {
      what: 'session limit under the subtype success',
      exit: 1,
      stdout: claudeError("You've hit your session limit · resets 1:10am (UTC)", 429),
      is: 'quota',
      resetAt: '2026-11-16T01:10:00.000Z',
    },
    {
      what: 'limit with its time in a field',
      exit: 1,
      stdout: [claudeLimit, ...claudeError("You've reached your weekly limit", 429)],
      is: 'quota',
      resetAt: '2026-11-16T01:00:00.000Z',
    },
    {
      what: 'window used up, credits pay',
      stdout: [claudeLimit, claudeResult({ is_error: false, result: 'Done.' })],
      is: { answer: 'Done.' },
    },
    { what: 'credits', exit: 1, stdout: claudeError('Credit balance is too low', 400), is: 'quota' },
    {
      what: 'rate limit',
      exit: 1,
      stdout: claudeError('API Error: Request rejected (429) · STUB error 429', 429),
      is: 'rate_limit',
    },
    {
      what: 'limit that is not the usage limit',
      exit: 1,
      stdout: claudeError('API Error: Server is temporarily limiting requests (not your usage limit)', 429),
      is: 'rate_limit',
    },
    {
      what: 'overload',
      exit: 1,
      stdout: claudeError('API Error: 529 x. This is a server-side issue, usually temporary', 529),
      is: 'overload',
    },
    { what: 'server', exit: 1, stdout: claudeError('API Error: 500 x', 500), is: 'overload' },
    {
      what: 'login',
      exit: 1,
      stdout: claudeError('Failed to authenticate. API Error: 401 STUB error 401', 401),
      is: 'auth',
    },
    { what: 'no login', exit: 1, stdout: claudeError('Not logged in · Please run /login'), is: 'auth' },
    {
      what: 'login that may be the network',
      exit: 1,
      stdout: claudeError('Authentication error · This may be a temporary network issue, please try again'),
      is: 'network',
    },
    {
      what: 'retries that were cut off',
      exit: 143,
      stdout: [{ type: 'system', subtype: 'api_retry', error_status: 529, error: 'overloaded' }],
      is: 'overload',
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
    { what: 'prompt too long', exit: 1, stdout: claudeError('Prompt is too long', 400), is: 'context' },
    { what: 'garbage', stdout: 'warning: x\n{"type":"result","is_error"\n\u0000{}', is: { answer: '' } },
    {
      what: 'retries that helped',
      stdout: [
        { type: 'system', subtype: 'api_retry', error_status: 429, error: 'rate_limit' },
        { type: 'assistant', message: { content: [{ type: 'text', text: TALK }] } },
        claudeResult({ is_error: false, result: 'Done.' }),
      ],
      is: { answer: 'Done.' },
    },
  ],
  codex: [
    { what: 'answer', stdout: codexSays('Done.'), is: { answer: 'Done.' } },
    { what: 'talk', stdout: codexSays(TALK), is: { answer: TALK } },
    {
      what: 'usage limit with a date',
      exit: 1,
      stdout: codexFailed('You’ve hit your usage limit. Upgrade to Pro or try again at Nov 17th, 2026 3:05 PM.'),
      is: 'quota',
      resetAt: '2026-11-17T15:05:00.000Z',
    },
    {
      what: 'quota',
      exit: 1,
      stdout: codexFailed('Quota exceeded. Check your plan and billing details.'),
      is: 'quota',
    },
    {
      what: 'rate limit',
      exit: 1,
      stdout: codexFailed('exceeded retry limit, last status: 429 Too Many Requests'),
      is: 'rate_limit',
      message: 'exceeded retry limit, last status: 429 Too Many Requests',
    },
    {
      what: 'overload',
      exit: 1,
      stdout: codexFailed('We’re currently experiencing high demand, which may cause temporary errors.'),
      is: 'overload',
    },
    {
      what: 'overload by status',
      exit: 1,
      stdout: codexFailed('unexpected status 529 <unknown status code>: x, url: https://api.example.com/v1/responses'),
      is: 'overload',
    },
    {
      what: 'login',
      exit: 1,
      stdout: codexFailed('unexpected status 401 Unauthorized: x, url: https://api.example.com/v1/responses'),
      is: 'auth',
    },
    { what: 'token', exit: 1, stdout: codexFailed('Your access token could not be refreshed.'), is: 'auth' },
    { what: 'no key', exit: 1, stdout: codexFailed('Missing environment variable: `X_KEY`.'), is: 'auth' },
    { what: 'network', exit: 1, stdout: codexFailed('stream disconnected before completion: x'), is: 'network' },
    {
      what: 'context',
      exit: 1,
      stdout: codexFailed("Codex ran out of room in the model's context window."),
      is: 'context',
    },
    {
      what: 'untrusted',
      exit: 1,
      stderr: 'Not inside a trusted directory and --skip-git-repo-check was not specified.',
      is: 'setup',
    },
    {
      what: 'something else',
      exit: 1,
      stdout: codexFailed('The moon is full.'),
      is: 'other',
      message: 'The moon is full.',
    },
    {
      what: 'reconnecting helped, only files were written',
      stdout: [{ type: 'error', message: 'Reconnecting... 1/5 (unexpected status 401 )' }, { type: 'turn.completed' }],
      is: { answer: '' },
    },
    { what: 'garbage', exit: 1, stdout: '\ufffd\ufffd not json {{{', is: 'crash' },
  ],
  gemini: [
    { what: 'answer', stdout: geminiSays('Do', 'ne.'), is: { answer: 'Done.' } },
    { what: 'talk', stdout: geminiSays(TALK.slice(0, 20), TALK.slice(20)), is: { answer: TALK } },
    {
      what: 'daily quota',
      exit: 173,
      stdout: geminiFailed('TerminalQuotaError', '[API Error: You have exhausted your daily quota on this model.]'),
      is: 'quota',
    },
    {
      what: 'quota with its time',
      exit: 173,
      stdout: geminiFailed(
        'TerminalQuotaError',
        'You have exhausted your capacity. Your quota will reset after 5h32m10s.',
      ),
      is: 'quota',
      resetAt: '2026-11-16T02:32:10.000Z',
    },
    {
      what: 'quota of a minute',
      exit: 173,
      stdout: geminiFailed('RetryableQuotaError', 'Quota exceeded for metric: x, limit: 5\nPlease retry in 12.3s.'),
      is: 'rate_limit',
      resetAt: '2026-11-15T21:00:12.300Z',
    },
    {
      what: 'rate limit of an unknown type',
      exit: 173,
      stdout: geminiFailed(
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
      stdout: geminiFailed('unknown', '[API Error: {"error":{"message":"STUB error 401","code":401}}]'),
      is: 'auth',
    },
    { what: 'no login', exit: 41, stderr: 'Please set an Auth method in your settings.json', is: 'auth' },
    {
      what: 'untrusted',
      exit: 55,
      stderr: '\u001b[31mGemini CLI is not running in a trusted directory. To proceed, use `--skip-trust`.\u001b[0m',
      is: 'setup',
    },
    { what: 'overload', exit: 247, stdout: geminiFailed('unknown', 'The model is not there now.'), is: 'overload' },
    { what: 'turns', exit: 53, stdout: geminiFailed('FatalTurnLimitedError', 'Reached max turns'), is: 'other' },
    { what: 'warning', stdout: [{ type: 'error', severity: 'warning', message: 'rate limit' }], is: { answer: '' } },
    { what: 'garbage', stdout: '\ufffd{"type":"message"', is: { answer: '' } },
  ],
  copilot: [
    { what: 'answer', stdout: copilotSays('Done.'), is: { answer: 'Done.' } },
    { what: 'talk', stdout: copilotSays(TALK), is: { answer: TALK } },
    {
      what: 'session rate limit',
      exit: 1,
      stdout: copilotFailed({ errorType: 'query', message: "You've hit your session rate limit." }),
      is: 'rate_limit',
    },
    {
      what: 'weekly rate limit',
      exit: 1,
      stdout: copilotFailed({
        errorType: 'rate_limit',
        errorCode: 'user_weekly_rate_limited',
        message: "You've reached your weekly rate limit.",
      }),
      is: 'rate_limit',
    },
    {
      what: 'quota',
      exit: 1,
      stdout: copilotFailed({ errorType: 'quota', message: "You've run out of your AI credits.", statusCode: 402 }),
      is: 'quota',
    },
    {
      what: 'quota by its code alone',
      exit: 1,
      stdout: copilotFailed({ errorType: 'query', errorCode: 'session_quota_exceeded', message: 'No.' }),
      is: 'quota',
    },
    {
      what: 'login',
      exit: 1,
      stdout: copilotFailed({
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
    { what: 'context', exit: 1, stdout: copilotFailed({ errorType: 'context_limit', message: 'x' }), is: 'context' },
    {
      what: 'an error it got over',
      stdout: [...copilotFailed({ errorType: 'query', message: 'x' }), ...copilotSays('Done.')],
      is: { answer: 'Done.' },
    },
    { what: 'garbage', stdout: '}{', is: { answer: '' } },
  ],
  amp: [
    { what: 'answer', stdout: [claudeResult({ is_error: false, result: 'Done.' })], is: { answer: 'Done.' } },
    { what: 'talk', stdout: [claudeResult({ is_error: false, result: TALK })], is: { answer: TALK } },
    {
      what: 'an error in the result',
      exit: 1,
      stdout: [claudeResult({ is_error: true, error: 'Out of Credits', subtype: 'error_during_execution' })],
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
  ],
  cursor: [
    { what: 'answer', stdout: [claudeResult({ is_error: false, result: 'Done.' })], is: { answer: 'Done.' } },
    { what: 'talk', stdout: [claudeResult({ is_error: false, result: TALK })], is: { answer: TALK } },
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
  ],
  opencode: [
    { what: 'answer', stdout: opencodeSays('Done.'), is: { answer: 'Done.' } },
    { what: 'talk', stdout: opencodeSays(TALK), is: { answer: TALK } },
    {
      what: 'login',
      exit: 1,
      stdout: opencodeFailed('APIError', { message: 'STUB error', statusCode: 401, isRetryable: false }),
      is: 'auth',
    },
    { what: 'provider', exit: 1, stdout: opencodeFailed('ProviderAuthError', { message: 'x' }), is: 'auth' },
    {
      what: 'quota that is also a 429',
      exit: 1,
      stdout: opencodeFailed('APIError', {
        message: 'Quota exceeded. Check your plan and billing details.',
        statusCode: 429,
      }),
      is: 'quota',
    },
    {
      what: 'usage limit with its time',
      exit: 1,
      stdout: opencodeFailed('APIError', {
        message: 'Usage limit reached. It will reset in 3 hours.',
        statusCode: 429,
      }),
      is: 'quota',
      resetAt: '2026-11-16T00:00:00.000Z',
    },
    { what: 'free limit', exit: 1, stdout: opencodeFailed('FreeUsageLimitError', {}), is: 'quota' },
    {
      what: 'rate limit',
      exit: 1,
      stdout: opencodeFailed('APIError', { message: 'x', statusCode: 429 }),
      is: 'rate_limit',
    },
    {
      what: 'overload',
      exit: 1,
      stdout: opencodeFailed('APIError', { message: 'Provider is overloaded' }),
      is: 'overload',
    },
    { what: 'error and a good end', stdout: opencodeFailed('UnknownError', { message: 'odd' }), is: 'other' },
    {
      what: 'answered, then failed',
      exit: 1,
      stdout: [...opencodeSays('Half.'), ...opencodeFailed('APIError', { message: 'x', statusCode: 529 })],
      is: 'overload',
    },
    { what: 'garbage', stdout: '{"type":"text","part":', is: { answer: '' } },
  ],
  qwen: [
    { what: 'answer', stdout: [claudeResult({ is_error: false, result: 'Done.' })], is: { answer: 'Done.' } },
    { what: 'talk', stdout: [claudeResult({ is_error: false, result: TALK })], is: { answer: TALK } },
    { what: 'login', exit: 1, stdout: qwenFailed('[API Error: 401 STUB error 401]'), is: 'auth' },
    {
      what: 'rate limit',
      exit: 1,
      stdout: qwenFailed(
        '[API Error: 429 STUB error 429]\nPossible quota limitations in place or slow response times detected.',
      ),
      is: 'rate_limit',
    },
    {
      what: 'quota',
      exit: 1,
      stdout: qwenFailed('[API Error: 429 insufficient_quota: You exceeded your current quota]'),
      is: 'quota',
    },
    { what: 'overload', exit: 1, stdout: qwenFailed('[API Error: 529 STUB error 529]'), is: 'overload' },
    { what: 'not set up', exit: 1, stderr: 'No auth type is selected. Please configure one.', is: 'setup' },
    { what: 'budget', exit: 55, stderr: 'Budget exceeded', is: 'other' },
    { what: 'garbage', stdout: '[{"type"', is: { answer: '' } },
  ],
  pi: [
    { what: 'answer', stdout: piSays('Done.'), is: { answer: 'Done.' } },
    { what: 'talk', stdout: piSays(TALK), is: { answer: TALK } },
    { what: 'rate limit with a good end', stdout: piFailed('429: {"message":"STUB error 429"}'), is: 'rate_limit' },
    { what: 'rate limit on standard error', exit: 1, stderr: '429: {"message":"STUB error 429"}', is: 'rate_limit' },
    {
      what: 'usage limit',
      stdout: piFailed('You have hit your ChatGPT usage limit (plus plan). Try again in ~42 min.'),
      is: 'quota',
      resetAt: '2026-11-15T21:42:00.000Z',
    },
    { what: 'login', stdout: piFailed('401: {"message":"STUB error 401"}'), is: 'auth' },
    { what: 'no models', exit: 1, stderr: 'Warning: No models available. Use /login', is: 'auth' },
    { what: 'overload', stdout: piFailed('529 overloaded'), is: 'overload' },
    {
      what: 'retries that helped',
      stdout: [...piFailed('529 overloaded'), ...piSays('Done.')],
      is: { answer: 'Done.' },
    },
    {
      what: 'retries that were cut off',
      exit: 143,
      stdout: [{ type: 'auto_retry_start', attempt: 1, errorMessage: '529 overloaded' }],
      is: 'overload',
    },
    { what: 'garbage', stdout: 'null\n[]\n"x"\n7', is: { answer: '' } },
  ],
  goose: [
    { what: 'answer', stdout: [goosePiece('Do'), goosePiece('ne.'), { type: 'complete' }], is: { answer: 'Done.' } },
    { what: 'talk', stdout: [goosePiece(TALK), { type: 'complete' }], is: { answer: TALK } },
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
  ],
  crush: [
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
  ],
  aider: [
    { what: 'answer', stdout: aiderSays('Done.'), is: { answer: aiderSays('Done.').trim() } },
    {
      what: 'talk that quotes its own messages',
      stdout: aiderSays('The API provider has rate limited you. Try again later or check your quotas.'),
      is: { answer: aiderSays('The API provider has rate limited you. Try again later or check your quotas.').trim() },
    },
    {
      what: 'rate limit with a good end',
      stdout: aiderFailed(
        'litellm.RateLimitError: RateLimitError: x',
        'The API provider has rate limited you. Try again later or check your quotas.',
        'Retrying in 32.0 seconds...',
      ),
      is: 'rate_limit',
    },
    {
      what: 'login with a good end',
      stdout: aiderFailed('The API provider is not able to authenticate you. Check your API key.'),
      is: 'auth',
    },
    { what: 'credits', stdout: aiderFailed('Insufficient credits with the API provider.'), is: 'quota' },
    { what: 'overload', stdout: aiderFailed("The API provider's servers are down or overloaded."), is: 'overload' },
    {
      what: 'words of a version we do not know',
      stdout: aiderFailed('Everything is fine.'),
      is: { answer: aiderFailed('Everything is fine.').trim() },
    },
    { what: 'garbage', stdout: '\ufffd', is: { answer: '\ufffd' } },
  ],
};

function expected({ is, resetAt, message }: Sample, result: AgentResult): unknown {
  if (typeof is !== 'string') return { kind: 'answered', answer: is.answer };
  if (result.kind !== 'failed') return { kind: 'failed', class: is };
  return {
    kind: 'failed',
    class: is,
    message: message ?? result.message,
    ...(resetAt === undefined ? {} : { resetAt: Date.parse(resetAt) }),
    answer: result.answer,
  };
}

test('every file here is an agent of the same name, listed', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => /^(?!index)[a-z]+\.ts$/.test(name));
  expect(AGENTS.map(({ name }) => `${name}.ts`)).toEqual(files.sort());
});

describe.each(AGENTS)('$name', (agent) => {
  const samples = [...(SAMPLES[agent.name] ?? []), ...COMMON];

  test('has samples of answers, talk, garbage and failures', () => {
    const what = samples.map((sample) => sample.what);
    expect(what).toEqual(expect.arrayContaining(['answer', 'garbage', 'killed']));
    expect(what.some((one) => one.startsWith('talk'))).toBe(true);
    expect(samples.length).toBeGreaterThanOrEqual(10);
  });

  test.each(samples)('$what', (sample) => {
    const result = classify(agent, end(sample), { now: NOW, matches });
    expect(result).toEqual(expected(sample, result));
  });

  test('takes no prompt as an argument', () => {
    expect(['stdin', 'file']).toContain(agent.oneshot?.prompt);
  });

  test('has patterns that a linear-time engine takes', () => {
    const spec = agent.oneshot?.output;
    const patterns = [
      ...agent.errors.flatMap(({ text }) => text ?? []),
      agent.oneshot?.retryLine ?? '',
      spec?.format === 'text' ? (spec.answered ?? '') : '',
    ];
    expect(patterns.filter((text) => 'fault' in compilePattern(text))).toEqual([]);
  });

  test('no output whatever makes the classifier throw or speak in more than one safe line', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc.array(fc.constantFrom(...samples.map((sample) => end(sample).stdout.text))).map((parts) => parts.join('\n')),
    );
    fc.assert(
      fc.property(text, text, fc.integer({ min: 0, max: 255 }), (stdout, stderr, exit) => {
        const result = classify(agent, end({ what: '', stdout, stderr, exit, is: 'other' }), { now: NOW, matches });
        if (result.kind === 'answered') return;
        expect(result.message).not.toMatch(/[\n\p{Cc}]/u);
        expect(result.message.length).toBeLessThanOrEqual(200);
        expect(result.message).not.toBe('');
      }),
      { numRuns: 60 },
    );
  });
});
