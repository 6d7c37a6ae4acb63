// Goose. Not run by us: flags, events, messages and screens from the source of 1.34.

import type { AgentFacts } from '../../kernel/agent.ts';
import { box } from './box.ts';

export const agent: AgentFacts = {
  oneshot: {
    command: ['goose', 'run', '--instructions', '-', '--no-session', '--quiet', '--output-format', 'stream-json'],
    prompt: 'stdin',
    output: {
      format: 'jsonl',
      rules: [
        { when: { type: 'message', 'message.role': 'assistant' }, answer: 'message.content[].text', isPiece: true },
        // Most failures of a model service come as an assistant's message and look like a model's words; they end as a
        // reply that validation refuses. Used-up credits have their own mark.
        {
          when: { type: 'message', 'message.content[].notificationType': 'creditsExhausted' },
          error: { code: 'message.content[].notificationType', message: 'message.content[].msg' },
        },
        { when: { type: 'error' }, error: { message: 'error' } },
      ],
    },
    // Its mode decides whether it asks; three retries of a service take 7 s.
    set: { GOOSE_MODE: 'auto' },
    // The first line comes with the model's first word.
    firstOutputS: 180,
  },
  interactive: {
    command: ['goose', 'session'],
    screensFrom: 'documents',
    screens: [
      { state: 'asking', name: 'approval', text: 'do you allow\\?', takesPastes: false },
      { state: 'asking', name: 'login', text: 'goose configure|No provider configured', takesPastes: false },
      { state: 'asking', name: 'menu', bottom: '^│ {2}[●○]', takesPastes: false },
      { state: 'busy', text: '^(> \\S|🪿 \\S)', takesPastes: false },
      { state: 'starting', text: '__\\( O\\)>', takesPastes: false },
      { state: 'ready', hasComposer: true },
    ],
    composer: { line: '^(?:>|🪿|\\( O\\)>)(?: (.*))?$', more: '^(.*)$', cursor: 'shown' },
    submit: { key: 'enter', delayMs: 300 },
    proofs: ['queued', 'placed', 'submitted', 'acknowledged'],
    ladder: ['mcp', 'typed', 'file', 'notice'],
    // From its source: `--with-extension` takes a line with variables before the program, and may be given more than once.
    launch: { mcp: { args: ['--with-extension', '{line}'] } },
  },
  env: [
    'GOOSE_PROVIDER',
    'GOOSE_MODEL',
    'GOOSE_TEMPERATURE',
    'GOOSE_CONTEXT_LIMIT',
    'GOOSE_MAX_TURNS',
    'GOOSE_DISABLE_KEYRING',
    'GOOSE_PATH_ROOT',
    'CONTEXT_FILE_NAMES',
    'XDG_CONFIG_HOME',
    'XDG_DATA_HOME',
    'XDG_STATE_HOME',
    'OPENAI_API_KEY',
    'OPENAI_HOST',
    'OPENAI_BASE_PATH',
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_HOST',
    'GOOGLE_API_KEY',
    'OPENROUTER_API_KEY',
    'GROQ_API_KEY',
    'XAI_API_KEY',
    'DATABRICKS_HOST',
    'DATABRICKS_TOKEN',
    'OLLAMA_HOST',
    'AZURE_OPENAI_API_KEY',
    'AZURE_OPENAI_ENDPOINT',
    'AZURE_OPENAI_DEPLOYMENT_NAME',
    'GCP_PROJECT_ID',
    'GCP_LOCATION',
    'AWS_PROFILE',
    'AWS_REGION',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
  ],
  box,
  errors: [
    { class: 'quota', text: 'credits exhausted:', codes: ['creditsExhausted'] },
    { class: 'auth', text: 'authentication error:' },
    { class: 'rate_limit', text: 'rate limit exceeded:' },
    { class: 'context', text: 'context length exceeded:' },
    { class: 'network', text: 'network error:' },
    { class: 'overload', text: 'server error:' },
    { class: 'setup', text: 'endpoint not found \\(404\\)|no provider configured' },
  ],
  notes: [
    'The output of its hooks does not reach the model; its model can ask for the startup context by the MCP server that `foreword start` brings, else it is typed.',
  ],
};
