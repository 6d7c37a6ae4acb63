// OpenCode. Seen: 1.18.33 (one-shot with the prompt on standard input, a failed login).

import type { Agent } from '../core/agent.ts';

export const opencode: Agent = {
  name: 'opencode',
  oneshot: {
    // It allows edits and commands by itself; where a person set "ask", --auto keeps it from being refused at once.
    // A prompt as an argument would reach the model in quotes.
    command: ['opencode', 'run', '--format', 'json', '--auto'],
    prompt: 'stdin',
    output: {
      format: 'jsonl',
      rules: [
        { when: { type: 'text' }, answer: 'part.text' },
        {
          when: { type: 'error' },
          error: { code: 'error.name', message: 'error.data.message', status: 'error.data.statusCode' },
        },
      ],
    },
    set: { OPENCODE_DISABLE_AUTOUPDATE: '1' },
    // It retries 429 and 529 without end and prints nothing meanwhile; the first line comes with the model's first word.
    firstOutputS: 90,
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
};
