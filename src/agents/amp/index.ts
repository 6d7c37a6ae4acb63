// Amp. Its loop runs on the vendor's server. Seen: 0.0.1790142911, its flags, a missing login, no network, and its terminal
// with that server simulated on loopback (scripts/record-amp.mjs); the rest from its documentation.

import type { AgentFacts } from '../../kernel/agent.ts';
import { box } from './box.ts';

export const agent: AgentFacts = {
  oneshot: {
    // Tools run without a question by default. Its documentation describes the output as that of Claude Code.
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
    screensFrom: { version: '0.0.1790142911' },
    screens: [
      {
        state: 'asking',
        name: 'login',
        text: 'Would you like to log in to Amp|paste your code here|Starting login flow',
        hasComposer: false,
      },
      // The tour for a new user; its keys lead to the next page.
      {
        state: 'asking',
        name: 'welcome tour',
        bottom: '^\\s*(Space to continue|Enter to get started)$',
        hasComposer: false,
      },
      { state: 'asking', name: 'menu', text: '╭─ Command Palette ─', hasComposer: false },
      // Its activity is in the lower edge of the composer: Connecting, Waiting, Streaming, Running Tools, Reconnecting.
      { state: 'busy', footer: '^╰ \\S' },
      { state: 'busy', title: '^[\\x{2800}-\\x{28FF}] amp' },
      { state: 'ready', footer: '^╰─' },
    ],
    composer: {
      line: '^│ (.*) │$',
      more: '^│ (.*) │$',
      above: '^╭[─┴].*─╮$',
      below: '^╰[─ ].*─╯$',
      cursor: 'placed',
    },
    submit: { key: 'enter', delayMs: 300 },
    proofs: ['queued', 'placed', 'submitted', 'acknowledged'],
    ladder: ['mcp', 'typed', 'file', 'notice'],
    // From its documentation: `--mcp-config` takes servers as JSON, besides those of its settings. Not run with a model by us.
    launch: { mcp: { args: ['--mcp-config', '{"foreword":{server}}'], givesWayTo: ['--mcp-config'] } },
  },
  env: ['AMP_API_KEY', 'AMP_URL', 'AMP_SETTINGS_FILE', 'AMP_LOG_LEVEL', 'NODE_EXTRA_CA_CERTS'],
  box,
  errors: [
    { class: 'quota', text: 'out of credits' },
    { class: 'auth', text: 'no api key found|login failed|run `?amp login' },
    { class: 'network', text: 'couldn.t connect to the amp server' },
    { class: 'rate_limit', text: 'rate limit|too many requests' },
    { class: 'overload', text: 'overloaded' },
  ],
  notes: [
    'Its loop runs on the server of its vendor: what reaches a model cannot be measured here.',
    'Its screens were recorded with that server simulated on loopback. It asks before a tool only when `amp.permissions` is set; that question was not recorded.',
  ],
};
