// Claude Code. Seen: 2.1.325 (one-shot with the prompt on standard input, all error lines; screens, launch, hooks).

import type { AgentFacts } from '../../kernel/agent.ts';
import { HOOK_TIMEOUT_S, hookEntries } from '../../kernel/agent-hooks.ts';
import { CHANNEL_NAMES } from '../../kernel/receipt.ts';
import { box } from './box.ts';
import { hooks } from './hooks.ts';
import { lab } from './lab.ts';

export const agent: AgentFacts = {
  oneshot: {
    // Edits and commands are allowed by name. The mode that skips every question is refused for root and not needed.
    // stream-json wants --verbose; it prints a first line within seconds, so that a hang is noticed.
    command: [
      'claude',
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      '--permission-mode',
      'acceptEdits',
      '--allowedTools',
      'Bash',
    ],
    // What it would have to ask for is refused; it has no tool that writes.
    readOnly: [
      'claude',
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      '--permission-mode',
      'dontAsk',
      '--disallowedTools',
      'Bash,Edit,Write,NotebookEdit',
    ],
    // Where there is no such session it names the one it was asked for.
    resume: {
      args: ['--resume', '{session}'],
      gone: 'no conversation found with session id',
    },
    // A sandbox that the person's settings ask for needs namespaces of its own, which a box refuses.
    boxed: {
      command: [
        'claude',
        '-p',
        '--output-format',
        'stream-json',
        '--verbose',
        '--permission-mode',
        'acceptEdits',
        '--allowedTools',
        'Bash',
        '--settings',
        '{"sandbox":{"enabled":false}}',
      ],
    },
    prompt: 'stdin',
    output: {
      format: 'jsonl',
      session: { when: { session_id: '*' }, id: 'session_id' },
      usage: [
        // Each block of a message comes as a line of its own with the same usage; the words written so far are not in it (2.1.325).
        {
          when: { type: 'assistant' },
          is: 'part',
          id: 'message.id',
          input: [
            'message.usage.input_tokens',
            'message.usage.cache_read_input_tokens',
            'message.usage.cache_creation_input_tokens',
          ],
          cached: ['message.usage.cache_read_input_tokens'],
          output: ['message.usage.output_tokens'],
        },
        // By model: `usage` beside it has neither sub-agents nor side requests. A resumed session goes on counting.
        {
          when: { type: 'result', modelUsage: '*' },
          is: 'session',
          input: [
            'modelUsage.*.inputTokens',
            'modelUsage.*.cacheReadInputTokens',
            'modelUsage.*.cacheCreationInputTokens',
          ],
          cached: ['modelUsage.*.cacheReadInputTokens'],
          output: ['modelUsage.*.outputTokens'],
          costUsd: ['total_cost_usd'],
        },
      ],
      // With a subscription only; a key of the API has no such limits.
      limits: [
        {
          when: { type: 'rate_limit_event' },
          windows: 'rate_limit_info',
          used: 'utilization',
          resetsAt: 'resetsAt',
          full: 1,
        },
        {
          when: { type: 'rate_limit_event' },
          windows: 'rate_limit_info.unifiedWindows.*',
          used: 'utilization',
          resetsAt: 'resetsAt',
          full: 1,
        },
      ],
      rules: [
        { when: { type: 'result', is_error: false }, answer: 'result' },
        // A usage limit comes with the subtype "success": only is_error shows it.
        {
          when: { type: 'result', is_error: true },
          error: { message: 'result', code: 'subtype', status: 'api_error_status' },
        },
        { when: { type: 'result', is_error: true, errors: '*' }, error: { message: 'errors[]', isNotice: true } },
        // The window may be used up while credits pay for the run: by itself this is no failure.
        {
          when: { type: 'rate_limit_event', 'rate_limit_info.status': 'rejected' },
          error: {
            code: 'rate_limit_info.status',
            resetsAt: 'rate_limit_info.resetsAt',
            isNotice: true,
          },
        },
        { when: { type: 'assistant', error: '*' }, error: { code: 'error', isNotice: true } },
        {
          when: { type: 'system', subtype: 'api_retry' },
          error: { code: 'error', status: 'error_status', retryMs: 'retry_delay_ms', isNotice: true },
        },
      ],
    },
    // Ten by default, which takes minutes; three take 4 s and still ride out a hiccup in a long run.
    set: { CLAUDE_CODE_MAX_RETRIES: '3', DISABLE_AUTOUPDATER: '1' },
    firstOutputS: 90,
    // Where the service asks for a longer wait, each of them takes that long.
    limitLine: '"subtype":"api_retry".*"retry_delay_ms":[0-9]{5,}',
  },
  interactive: {
    command: ['claude'],
    screensFrom: lab.pin,
    screens: [
      {
        state: 'asking',
        name: 'trust folder',
        text: 'Quick safety check|Yes, I trust this folder',
        hasComposer: false,
      },
      { state: 'asking', name: 'api key', text: 'Do you want to use this API key', hasComposer: false },
      { state: 'asking', name: 'bypass permissions', text: 'in Bypass Permissions mode', hasComposer: false },
      { state: 'asking', name: 'mcp server', text: 'New MCP servers? found in this project', hasComposer: false },
      { state: 'asking', name: 'login', text: 'Select login method|Paste code here|to sign in', hasComposer: false },
      { state: 'asking', name: 'onboarding', text: 'Choose the text style|Security notes:', hasComposer: false },
      {
        state: 'asking',
        name: 'approval',
        text: 'Do you want to |Would you like to proceed|Exit plan mode\\?',
        hasComposer: false,
      },
      { state: 'asking', name: 'approval', bottom: 'Tab to amend', hasComposer: false },
      {
        state: 'asking',
        name: 'menu',
        bottom: 'Esc to (cancel|close|exit|go back)|Enter to (confirm|select|continue|set)',
        hasComposer: false,
      },
      // A list of sessions, with a composer that begins another one.
      { state: 'asking', name: 'agents view', title: '· claude agents$' },
      { state: 'asking', name: 'agents view', footer: '(enter|esc) to return|space to reply' },
      { state: 'asking', name: 'agents view', inside: '^❯ describe a task for a new session' },
      // With a draft in the composer only the title shows that it works.
      { state: 'busy', title: '^[◐◑◒◓] ' },
      { state: 'busy', footer: ' · (esc|ctrl\\+c) to interrupt' },
      { state: 'busy', bottom: '^[✻✳✢✶✽·*] \\S+…( \\(|$)', hasComposer: true },
      // A command of the person's. With the title off and a status line of theirs nothing else shows it, and for three seconds
      // nothing moves.
      { state: 'busy', over: '^ {2}⎿.{1,3}Running…', head: '^![^!]', hasComposer: true },
      { state: 'ready', hasComposer: true },
    ],
    composer: {
      line: '^[❯!](?:[ \u00a0](.*))?$',
      more: '^(?: {2}(.*)|\\s*)$',
      above: '^─{10}',
      below: '^─{10}',
      cursor: 'placed',
      placeholder: '\\[Pasted text #[0-9]+(?: \\+([0-9]+) lines)?\\]',
      shell: '^!',
    },
    // Theirs is drawn under the composer; its own signs of work are above it.
    statusLine: 'footer',
    queued: 'Press up to edit queued messages|ctrl\\+x ctrl\\+s to send now',
    submit: { key: 'enter', delayMs: 100 },
    proofs: ['queued', 'placed', 'submitted', 'served', 'acknowledged'],
    ladder: CHANNEL_NAMES,
    launch: {
      prompt: ['--', '{text}'],
      own: {
        values: [
          '--add-dir --agent --agents --allowedTools --allowed-tools --append-system-prompt --autocompact',
          '--betas --debug-file --disallowedTools --disallowed-tools --effort --environment --fallback-model',
          '--file --mcp-config --model -n --name --permission-mode --plugin-dir --plugin-url --session-id',
          '--setting-sources --settings --system-prompt --tools',
        ],
        resumes: ['-c', '--continue', '-r', '--resume', '--from-pr', '--teleport', 'attach'],
      },
      // Seen with 2.1.325; for who names the channel, since its hooks are the better way.
      mcp: { args: ['--mcp-config', '{"mcpServers":{"foreword":{server}}}'], givesWayTo: ['--mcp-config'] },
      hook: {
        firesAt: 'launch',
        // As a plug-in of this launch: hooks in the person's settings run besides, also those of --settings, of which
        // only the last one counts. In a folder that is not trusted no hook runs.
        file: {
          name: 'claude/.claude-plugin/plugin.json',
          content: JSON.stringify({
            name: 'foreword',
            version: '1.0.0',
            hooks: entries(),
          }),
        },
        args: ['--plugin-dir', '{folder}/..'],
      },
    },
  },
  env: [
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'ANTHROPIC_BASE_URL',
    'ANTHROPIC_CUSTOM_HEADERS',
    'ANTHROPIC_MODEL',
    'ANTHROPIC_SMALL_FAST_MODEL',
    'ANTHROPIC_DEFAULT_OPUS_MODEL',
    'ANTHROPIC_DEFAULT_SONNET_MODEL',
    'ANTHROPIC_DEFAULT_HAIKU_MODEL',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CONFIG_DIR',
    'CLAUDE_CODE_USE_BEDROCK',
    'CLAUDE_CODE_USE_VERTEX',
    'CLAUDE_CODE_USE_FOUNDRY',
    'ANTHROPIC_BEDROCK_BASE_URL',
    'ANTHROPIC_VERTEX_PROJECT_ID',
    'ANTHROPIC_FOUNDRY_API_KEY',
    'ANTHROPIC_FOUNDRY_RESOURCE',
    'CLOUD_ML_REGION',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'AWS_PROFILE',
    'AWS_REGION',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'AWS_BEARER_TOKEN_BEDROCK',
    'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC',
    'DISABLE_TELEMETRY',
    'DISABLE_ERROR_REPORTING',
    'IS_SANDBOX',
    'NODE_EXTRA_CA_CERTS',
  ],
  box,
  localFiles: ['CLAUDE.local.md', '.claude/settings.local.json'],
  errors: [
    // Messages about turn and budget limits have "reached" too, and are not a quota.
    { class: 'other', codes: ['error_max_turns', 'error_max_budget_usd', 'error_max_structured_output_retries'] },
    {
      class: 'rate_limit',
      text: 'temporarily limiting requests \\(not your usage limit\\)|request rejected \\(429\\)',
    },
    {
      class: 'quota',
      text: 'you.ve (hit|reached) your|you.re out of (usage credits|extra usage)|your org is out of usage|your seat type doesn.t include usage|usage allocation has been disabled|group.s usage limit is set to|requires usage credits|usage credits required|credit balance is too low',
      codes: ['billing_error', 'rejected'],
    },
    {
      class: 'overload',
      text: 'repeated 529 overloaded errors|is experiencing high load|server-side issue, usually temporary',
      codes: ['overloaded', 'server_error'],
    },
    // A network fault that looks like a lost login would keep the agent out for an hour.
    { class: 'network', text: 'authentication error . this may be a temporary network issue' },
    {
      class: 'auth',
      text: 'please run /login|invalid api key|invalid auth token|login reached its time limit|failed to authenticate|authentication required|your organization has disabled|belongs to a disabled organization|apikeyhelper script is failing',
      codes: [
        'authentication_failed',
        'oauth_org_not_allowed',
        'account_on_hold',
        'verification_required',
        'cloud_credential_error',
      ],
    },
    { class: 'setup', text: 'cannot be used with root/sudo privileges', codes: ['model_not_found'] },
    { class: 'rate_limit', codes: ['rate_limit'] },
  ],
  notes: [
    'In a folder that you have not trusted it runs no hooks.',
    'It replaces hook output of more than 10,000 characters by a file and a preview: of 12,000 the model got the first 1,920. Our texts stay below that.',
    'CLAUDE.local.md turns AGENTS.md off, so in a project with an AGENTS.md the block goes into .claude/rules/.',
    'Its question about folder trust has No preselected: a blind Enter ends it.',
  ],
};

/** Our hooks, in the shape of a settings file. */
function entries(): object {
  const shape = { hooks: [{ type: 'command', command: '{line}', timeout: HOOK_TIMEOUT_S }] };
  const all = hookEntries(hooks, shape, (event) => `{command ${event}}`);
  return Object.fromEntries(all.map(({ event, value }) => [event, [value]]));
}
