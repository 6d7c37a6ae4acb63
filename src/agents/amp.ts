// Amp. Its loop is on a server of theirs, so that it was not run against a model of ours. Seen: 0.0.1790142911 (flags, a
// missing login, no network); the rest from its documentation.

import type { Agent } from '../core/agent.ts';

export const amp: Agent = {
  name: 'amp',
  oneshot: {
    // Tools run without a question by default. The output is said to be that of Claude Code.
    command: ['amp', '-x', '--stream-json'],
    prompt: 'stdin',
    output: {
      format: 'jsonl',
      rules: [
        { when: { type: 'result', is_error: false }, answer: 'result' },
        { when: { type: 'result', is_error: true }, error: { message: 'error', code: 'subtype' } },
        { when: { type: 'result', is_error: true, result: '*' }, error: { message: 'result', isNotice: true } },
      ],
    },
    firstOutputS: 90,
  },
  interactive: {
    command: ['amp'],
    // No rule says ready: its screens are not known well enough to type into them.
    screens: [{ state: 'asking', name: 'login', text: 'paste your code here|Starting login flow' }],
    composer: { line: '^[│┃] ?(.*?)[│┃]?$', cursor: 'shown' },
    submit: { key: 'enter', delayMs: 300 },
    proofs: ['queued', 'placed'],
    ladder: ['file', 'notice'],
  },
  env: ['AMP_API_KEY', 'AMP_URL', 'AMP_SETTINGS_FILE', 'AMP_LOG_LEVEL', 'NODE_EXTRA_CA_CERTS'],
  errors: [
    { class: 'quota', text: 'out of credits' },
    { class: 'auth', text: 'no api key found|login failed|run `?amp login' },
    { class: 'network', text: 'couldn.t connect to the amp server' },
    { class: 'rate_limit', text: 'rate limit|too many requests' },
    { class: 'overload', text: 'overloaded' },
  ],
  notes: ['Its loop is on a server of theirs; nothing is typed into it.'],
};
