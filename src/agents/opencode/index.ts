// OpenCode. Seen: 1.18.33 (one-shot with the prompt on standard input, a failed login; screens, launch, plug-in).

import type { AgentFacts } from '../../kernel/agent.ts';
import { CHANNEL_NAMES } from '../../kernel/receipt.ts';
import { box } from './box.ts';
import { lab } from './lab.ts';

/** Without a title it has a model make one, which is in none of its counts (1.18.33). */
const TITLE = ['--title', 'foreword'];

export const agent: AgentFacts = {
  // The id of the project, as it names it.
  gitFiles: ['opencode'],
  oneshot: {
    // It allows edits and commands by itself; where a person set "ask", --auto keeps it from being refused at once.
    // A prompt as an argument would reach the model in quotes.
    // Its log shows on standard error what it retries; its output does not.
    command: ['opencode', '--print-logs', '--log-level', 'ERROR', 'run', '--format', 'json', '--auto', ...TITLE],
    // Its own agent for plans may not edit, and still run commands that write (1.18.33).
    readOnly: [
      'opencode',
      '--print-logs',
      '--log-level',
      'ERROR',
      'run',
      '--format',
      'json',
      '--agent',
      'plan',
      ...TITLE,
    ],
    readOnlySet: { OPENCODE_PERMISSION: '{"edit":"deny","bash":"deny"}' },
    // In another folder than the session's it never ends.
    resume: {
      args: ['--session', '{session}'],
    },
    prompt: 'stdin',
    output: {
      format: 'jsonl',
      session: { when: { sessionID: '*' }, id: 'sessionID' },
      usage: [
        {
          when: { type: 'step_finish' },
          is: 'part',
          id: 'part.id',
          input: ['part.tokens.input', 'part.tokens.cache.read', 'part.tokens.cache.write'],
          cached: ['part.tokens.cache.read'],
          output: ['part.tokens.output', 'part.tokens.reasoning'],
          costUsd: ['part.cost'],
        },
      ],
      rules: [
        { when: { type: 'text' }, answer: 'part.text' },
        {
          when: { type: 'error' },
          error: { code: 'error.name', message: 'error.data.message', status: 'error.data.statusCode' },
        },
      ],
    },
    set: { OPENCODE_DISABLE_AUTOUPDATE: '1' },
    // The first line comes with the model's first word.
    firstOutputS: 90,
    // It retries 429 and 529 without end, after as long as the service asked.
    retryLine: 'message="stream error"',
  },
  interactive: {
    command: ['opencode'],
    screensFrom: lab.pin,
    screens: [
      { state: 'asking', name: 'approval', text: '△ Permission required|Allow once +Allow always', hasComposer: false },
      {
        state: 'asking',
        name: 'menu',
        bottom: 'enter (confirm|submit|select)|esc (dismiss|close)',
        hasComposer: false,
      },
      // A menu lies over the middle of the screen and has the cursor.
      { state: 'asking', name: 'menu', text: '^ {4,}\\S.* {5,}esc$', hasComposer: false },
      { state: 'busy', footer: 'esc (again to )?interrupt|\\[retrying ' },
      { state: 'busy', footer: '^\\s*[■⬝]{4,} ' },
      { state: 'ready', hasComposer: true },
    ],
    composer: {
      // A box with a blank line above and below the text, and the agent and the model in its last line.
      line: '^\\s*┃(?: {2}(.*))?$',
      more: '^\\s*┃(?: {2}(.*))?$',
      // A menu is right above it.
      above: '^[^┃]*$|^\\s*┃ \\S.*┃$',
      below: '^\\s*┃ {2}(?:Shell(?: .*)?|\\S.* · \\S.*)$',
      // On a wide screen the folder and other things are beside it.
      right: '^\\s*╹▀{10}',
      cursor: 'shown',
      // With three dots up to 1.18.23.
      ghost: '(?:Ask anything|Run a command)(?:…|\\.{3}).*',
      placeholder: '\\[Pasted ~([0-9]+) lines\\]',
      shell: '^\\s*┃ {2}Shell( |$)|exit shell mode',
    },
    queued: '^\\s*┃ +QUEUED$',
    // Sent at once after a paste, Enter was lost every other time.
    submit: { key: 'enter', delayMs: 200 },
    proofs: ['queued', 'placed', 'submitted', 'served', 'acknowledged'],
    ladder: CHANNEL_NAMES,
    launch: {
      prompt: ['--prompt={text}'],
      own: {
        values: [],
        prompts: ['--prompt'],
        resumes: ['-c', '--continue', '-s', '--session', '--fork'],
        takesNoWords: true,
      },
      hook: {
        firesAt: 'first-prompt',
        // Plug-ins of the person are loaded besides. Any plug-in makes it install a package of its own first, which
        // takes over a minute where there is no network.
        file: { name: 'opencode-plugin.js', content: '{plug-in}' },
        set: { OPENCODE_CONFIG_CONTENT: '{"plugin":["{url}"]}' },
        givesWayTo: { variables: ['OPENCODE_CONFIG_CONTENT'] },
      },
    },
  },
  env: [
    'OPENCODE_CONFIG',
    'OPENCODE_CONFIG_DIR',
    'OPENCODE_CONFIG_CONTENT',
    'OPENCODE_API_KEY',
    'OPENCODE_DISABLE_MODELS_FETCH',
    'OPENCODE_DISABLE_LSP_DOWNLOAD',
    'OPENCODE_DISABLE_DEFAULT_PLUGINS',
    'XDG_CONFIG_HOME',
    'XDG_DATA_HOME',
    'XDG_CACHE_HOME',
    'XDG_STATE_HOME',
    'ANTHROPIC_API_KEY',
    'OPENAI_API_KEY',
    'OPENROUTER_API_KEY',
    'GEMINI_API_KEY',
    'GOOGLE_GENERATIVE_AI_API_KEY',
    'GROQ_API_KEY',
    'DEEPSEEK_API_KEY',
    'MISTRAL_API_KEY',
    'XAI_API_KEY',
    'GITHUB_TOKEN',
    'AWS_PROFILE',
    'AWS_REGION',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'AWS_BEARER_TOKEN_BEDROCK',
    'NODE_EXTRA_CA_CERTS',
  ],
  box,
  errors: [
    {
      class: 'quota',
      codes: ['FreeUsageLimitError', 'GoUsageLimitError'],
      text: 'quota exceeded. check your plan|usage limit reached|(Free|Go)UsageLimitError',
    },
    { class: 'auth', codes: ['ProviderAuthError'] },
    { class: 'context', codes: ['ContextOverflowError', 'MessageOutputLengthError'] },
    { class: 'setup', codes: ['ProviderModelNotFoundError', 'ConfigInvalidError'] },
    { class: 'rate_limit', text: 'too many requests|rate increased too quickly' },
    { class: 'overload', text: 'provider is overloaded' },
  ],
  notes: [
    'Hooks are a plug-in, for which it asks the npm registry for a package when it starts; without network that can take a minute.',
    'It has no event before a tool that reaches the model, so the gate runs after the first tool.',
    'It never asks whether a folder is trusted.',
  ],
};
