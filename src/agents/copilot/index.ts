// GitHub Copilot CLI. Seen: 1.0.102 (one-shot with the prompt on standard input, a failed login; screens, launch,
// hooks); the codes of errors in the schema of 1.0.60.

import type { AgentFacts } from '../../kernel/agent.ts';
import { HOOK_TIMEOUT_S, hookEntries } from '../../kernel/agent-hooks.ts';
import { CHANNEL_NAMES } from '../../kernel/receipt.ts';
import { box } from './box.ts';
import { hooks } from './hooks.ts';
import { lab } from './lab.ts';

export const agent: AgentFacts = {
  oneshot: {
    // --allow-all-tools is what it wants without a terminal; it trusts no folder, so hooks the repository brings stay off.
    command: ['copilot', '--session-id={session}', '--output-format', 'json', '--allow-all-tools', '--no-ask-user'],
    // By its documentation, a tool that is denied stays denied when all are allowed.
    readOnly: [
      'copilot',
      '--session-id={session}',
      '--output-format',
      'json',
      '--allow-all-tools',
      '--deny-tool',
      'write',
      '--deny-tool',
      'shell',
      '--no-ask-user',
    ],
    // It names its session in its last line only.
    resume: {
      args: ['--resume={session}'],
    },
    prompt: 'stdin',
    output: {
      format: 'jsonl',
      // Its usage is in its transcript only; here are requests of a plan, not tokens. It names its session at the end alone, so it
      // gets the id from us (1.0.102).
      session: { when: { type: 'result' }, id: 'sessionId' },
      rules: [
        { when: { type: 'assistant.message' }, answer: 'data.content' },
        {
          when: { type: 'session.error', 'data.errorCode': '*' },
          error: { code: 'data.errorCode', message: 'data.message', isNotice: true },
        },
        {
          when: { type: 'session.error' },
          error: { code: 'data.errorType', message: 'data.message', status: 'data.statusCode' },
        },
        { when: { type: 'model.call_failure' }, error: { status: 'data.statusCode', isNotice: true } },
      ],
    },
    set: { COPILOT_AUTO_UPDATE: 'false' },
    firstOutputS: 90,
    // Five retries of a rate limit took 55 s, and each as long as the service asked; there is no setting for it.
    retryLine: '"type":"model.call_failure".*"statusCode":429',
  },
  interactive: {
    command: ['copilot'],
    screensFrom: lab.pin,
    screens: [
      {
        state: 'asking',
        name: 'trust folder',
        text: 'Confirm folder trust|Do you trust the files in this folder',
        hasComposer: false,
      },
      {
        state: 'asking',
        name: 'approval',
        text: 'Do you want to |tell Copilot what to do differently', // Its own words; house-rule: plain-words
        hasComposer: false,
      },
      {
        state: 'asking',
        name: 'menu',
        bottom: '↑/↓ (to )?navigate|(enter|esc) to (select|cancel|close|confirm)',
        hasComposer: false,
      },
      // With an answer in one's own words its field looks like the composer.
      { state: 'asking', name: 'question', bottom: '^ ↑/↓ select · enter accept', hasComposer: false },
      { state: 'asking', name: 'question', over: '^ ↑/↓ select · enter accept' },
      { state: 'asking', name: 'question', inside: '^┃ Type your answer' },
      // At the left edge, where a model's text never is.
      { state: 'asking', name: 'login', text: '^Please use /login to sign in' },
      { state: 'busy', footer: '^ ?[●◉◎○◌] (Working|Thinking|Cancelling|Compacting|Executing)' },
      { state: 'starting', footer: '^ ?[●◉◎○◌] Loading' },
      { state: 'ready', hasComposer: true },
    ],
    composer: {
      // Two looks: with many colours and with few.
      line: '^[┃❯](?: (.*))?$',
      more: '^(?:┃ ?| {2})?(.*)$',
      above: '^(╻▄{10}|─{10})',
      below: '^(╹▀{10}|─{10})',
      cursor: 'shown',
      placeholder: '\\[Paste #[0-9]+ - ([0-9]+) lines\\]',
      shell: '^ Shell · ',
    },
    queued: '\\(pending · ',
    // It gathers a paste for 200 ms before it shows it; then it takes Enter at once.
    submit: { key: 'enter', delayMs: 150 },
    proofs: ['queued', 'placed', 'submitted', 'served', 'acknowledged'],
    ladder: CHANNEL_NAMES,
    launch: {
      prompt: ['--interactive={text}'],
      own: {
        values: [
          '--model --reasoning-effort --context --agent -n --name --log-dir --log-level --add-dir',
          '--disable-mcp-server --plugin-dir --additional-mcp-config --mode -C',
        ],
        prompts: ['-i', '--interactive', '-p', '--prompt'],
        resumes: ['-r', '--resume', '--continue', '--connect', '--session-id'],
      },
      hook: {
        firesAt: 'first-prompt',
        // A plug-in of this launch; its hooks run in its own folder, after the person's. At a prompt only the output of
        // the last hook that prints something counts, so ours should print nothing where it can.
        file: {
          name: 'copilot/plugin.json',
          content: JSON.stringify({
            name: 'foreword',
            version: '1.0.0',
            hooks: entries(),
          }),
        },
        args: ['--plugin-dir', '{folder}'],
      },
    },
  },
  env: [
    'COPILOT_GITHUB_TOKEN',
    'GH_TOKEN',
    'GITHUB_TOKEN',
    'GH_HOST',
    'COPILOT_HOME',
    'COPILOT_CACHE_HOME',
    'COPILOT_MODEL',
    'COPILOT_API_URL',
    'COPILOT_OFFLINE',
    'COPILOT_PROVIDER_BASE_URL',
    'COPILOT_PROVIDER_API_KEY',
    'COPILOT_PROVIDER_API_KEY_COMMAND',
    'COPILOT_PROVIDER_BEARER_TOKEN',
    'COPILOT_PROVIDER_TYPE',
    'COPILOT_PROVIDER_WIRE_API',
    'NODE_EXTRA_CA_CERTS',
  ],
  box,
  localFiles: ['.github/copilot/settings.local.json', '.claude/settings.local.json'],
  errors: [
    {
      class: 'quota',
      codes: ['quota', 'quota_exceeded', 'session_quota_exceeded', 'billing_not_configured'],
      text: 'run out of your (included )?ai credits|reached the spending limit|multiple github copilot licenses',
    },
    {
      class: 'rate_limit',
      codes: [
        'rate_limit',
        'user_weekly_rate_limited',
        'user_model_rate_limited',
        'user_global_rate_limited',
        'integration_rate_limited',
        'rate_limited',
      ],
      text: 'rate limit|last error: 429',
    },
    {
      class: 'auth',
      codes: ['authentication', 'authorization'],
      text: 'no authentication information found|authentication token validation failed|classic pat detected|authentication failed with provider',
    },
    { class: 'context', codes: ['context_limit'] },
    { class: 'overload', text: 'last error: 5[0-9][0-9]' },
  ],
  notes: [
    'Hooks of a project run only in a trusted folder; hooks that init installs for all projects always run.',
    'It calls the hooks of the start and of the first prompt at the same moment; foreword sends the context once.',
    'A resumed session no longer has the output of hooks, so foreword sends it again.',
  ],
};

/** Our hooks, in the shape of a settings file. */
function entries(): object {
  const shape = { type: 'command', bash: '{line}', timeoutSec: HOOK_TIMEOUT_S };
  const all = hookEntries(hooks, shape, (event) => `{command ${event}}`);
  return Object.fromEntries(all.map(({ event, value }) => [event, [value]]));
}
