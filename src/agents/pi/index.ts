// pi. Seen: 0.87.1 (one-shot, errors, screens, launch, extension); the events of its JSON mode in the documentation of
// 1.5.0.

import type { AgentFacts } from '../../kernel/agent.ts';
import { CHANNEL_NAMES } from '../../kernel/receipt.ts';
import { box } from './box.ts';
import { lab } from './lab.ts';

export const agent: AgentFacts = {
  oneshot: {
    // It never asks. What a project brings in .pi/ stays off without a terminal unless a flag allows it, which we do not.
    command: ['pi', '--print', '--mode', 'json'],
    readOnly: ['pi', '--print', '--mode', 'json', '--tools', 'read,grep,find,ls'],
    // --session-id would make a new session where there is none.
    resume: {
      args: ['--session', '{session}'],
    },
    prompt: 'stdin',
    output: {
      format: 'jsonl',
      session: { when: { type: 'session' }, id: 'id' },
      usage: [
        {
          when: { type: 'message_end', 'message.role': 'assistant' },
          is: 'part',
          input: ['message.usage.input', 'message.usage.cacheRead', 'message.usage.cacheWrite'],
          cached: ['message.usage.cacheRead'],
          output: ['message.usage.output'],
          costUsd: ['message.usage.cost.total'],
        },
      ],
      rules: [
        { when: { type: 'message_end', 'message.role': 'assistant' }, answer: 'message.content[].text' },
        // In this mode it ends with 0 even so.
        {
          when: { type: 'message_end', 'message.role': 'assistant', 'message.stopReason': 'error' },
          error: { message: 'message.errorMessage' },
        },
        { when: { type: 'auto_retry_end', success: false }, error: { message: 'finalError' } },
        { when: { type: 'auto_retry_start' }, error: { message: 'errorMessage', isNotice: true } },
      ],
    },
    set: { PI_SKIP_VERSION_CHECK: '1' },
    firstOutputS: 60,
    // Three retries of 2, 4 and 8 s; no flag or variable changes that, only its own file.
    retryLine: '^\\{"type":"auto_retry_start"',
  },
  interactive: {
    command: ['pi'],
    screensFrom: lab.pin,
    screens: [
      {
        state: 'asking',
        name: 'trust folder',
        text: 'Trust project folder\\?|^ [→ ] (Do not t|T)rust',
        hasComposer: false,
      },
      { state: 'asking', name: 'menu', bottom: '(enter|escape/ctrl\\+c) (select|confirm|cancel)', hasComposer: false },
      // Menus are inside the composer's frame.
      {
        state: 'asking',
        name: 'menu',
        inside: '^→ |^ {2}(Enter|Escape|↑↓) |^ {2}\\([0-9]+/[0-9]+\\)$|^Only showing models',
      },
      {
        state: 'asking',
        name: 'session list',
        inside: '^Resume Session \\(|^tab scope · |^ctrl\\+s sort · |^› |^>$',
      },
      { state: 'asking', name: 'login', footer: '/0 \\(|/0$|unknown$' },
      // The upper edge of the composer, at the left edge, where no text of the conversation is. The cursor may be elsewhere then.
      { state: 'busy', bottom: '^── [⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] ' },
      // Dialogs are between the same two lines; only a composer has this under it.
      { state: 'ready', footer: '[0-9.?]+%?/[1-9][0-9.]*[kM]? ' },
    ],
    composer: {
      line: '^(.*)$',
      more: '^(.*)$',
      above: '^─{2}',
      below: '^─{10}',
      cursor: 'placed',
      placeholder: '\\[paste #[0-9]+ \\+?([0-9]+) (?:lines|chars)\\]',
    },
    queued: '↳ .* to edit all queued messages',
    submit: { key: 'enter', delayMs: 100 },
    proofs: ['queued', 'placed', 'submitted', 'served', 'acknowledged'],
    ladder: CHANNEL_NAMES,
    launch: {
      // A text that begins with @ would be read as a file's name.
      prompt: ['--', '{text}'],
      own: {
        values: [
          '--provider --model --api-key --system-prompt --append-system-prompt --mode --session-dir -n --name',
          '--models -t --tools -xt --exclude-tools --thinking -e --extension --skill --prompt-template --theme',
          '--use-theme --tui-mode',
        ],
        resumes: ['-c', '--continue', '-r', '--resume', '--session', '--session-id', '--fork'],
      },
      hook: {
        firesAt: 'first-prompt',
        file: { name: 'pi-extension.ts', content: '{plug-in}' },
        args: ['--extension', '{file}'],
      },
    },
  },
  env: [
    'PI_CODING_AGENT_DIR',
    'PI_CODING_AGENT_SESSION_DIR',
    'PI_PACKAGE_DIR',
    'PI_OFFLINE',
    'PI_TELEMETRY',
    'PI_CACHE_RETENTION',
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_OAUTH_TOKEN',
    'OPENAI_API_KEY',
    'OPENROUTER_API_KEY',
    'GEMINI_API_KEY',
    'GROQ_API_KEY',
    'CEREBRAS_API_KEY',
    'XAI_API_KEY',
    'ZAI_API_KEY',
    'MISTRAL_API_KEY',
    'DEEPSEEK_API_KEY',
    'GITHUB_TOKEN',
    'COPILOT_GITHUB_TOKEN',
    'AWS_PROFILE',
    'AWS_REGION',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'AWS_BEARER_TOKEN_BEDROCK',
    'NODE_EXTRA_CA_CERTS',
  ],
  box,
  localFiles: ['AGENTS.override.md'],
  errors: [
    {
      class: 'quota',
      text: 'hit your chatgpt usage limit|monthly usage limit reached|insufficient_quota|quota exceeded|out of budget|billing|GoUsageLimitError',
    },
    { class: 'auth', text: 'no models available. use /login|no api key found' },
    { class: 'rate_limit', text: 'rate.?limit|too many requests|^429: ' },
    { class: 'overload', text: 'overloaded|server_busy|model is at capacity|^5[0-9][0-9]: ' },
  ],
  notes: [
    'Hooks are an extension.',
    'It has no event before a tool that reaches the model, so the gate runs after the first tool.',
    'Its transcript does not say whether somebody was there: a call with -p is kept like a session in which you asked one thing.',
    'With a .pi/ folder it asks whether the project is trusted, so foreword creates no such folder.',
  ],
};
