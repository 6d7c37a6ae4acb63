// Aider. Not run by us: flags, messages and screens from the source of 0.86.

import type { AgentFacts } from '../../kernel/agent.ts';
import { box } from './box.ts';

export const agent: AgentFacts = {
  oneshot: {
    command: [
      'aider',
      '--message-file={prompt}',
      // Agrees to files that it wants to see and edit; commands that it suggests are still not run.
      '--yes-always',
      '--no-stream',
      '--no-pretty',
      // Committing is the person's business, and so is .gitignore.
      '--no-auto-commits',
      '--no-dirty-commits',
      '--no-gitignore',
      // Agreeing to everything would include these.
      '--no-analytics',
      '--no-check-update',
      '--no-show-release-notes',
      '--no-show-model-warnings',
      '--no-detect-urls',
      '--no-suggest-shell-commands',
    ],
    prompt: 'file',
    // Errors are on standard output with the reply, and it ends with 0. After a reply it prints a count of tokens.
    output: { format: 'text', answered: '^Tokens: .* sent, .*received' },
    // Retries for a minute; no setting. The banner comes at once, after a slow start.
    firstOutputS: 120,
    retryLine: '^Retrying in [0-9.]+ seconds',
  },
  interactive: {
    command: ['aider'],
    screensFrom: 'documents',
    screens: [
      { state: 'asking', name: 'approval', cursorLine: '\\(Y\\)es/\\(N\\)o.*\\]:' },
      // It takes pastes while it asks for a prompt, and only then.
      { state: 'busy', text: '^[a-z]*> \\S', takesPastes: false },
      { state: 'starting', text: '^Aider v', takesPastes: false },
      { state: 'ready', hasComposer: true },
    ],
    composer: {
      // When Enter makes a line end, the prompt is `multi>`.
      line: '^(?:ask|code|architect|context|help)?>(?: (.*))?$',
      more: '^(.*)$',
      cursor: 'shown',
    },
    submit: { key: 'enter', delayMs: 300 },
    proofs: ['queued', 'placed', 'submitted', 'acknowledged'],
    ladder: ['typed', 'file', 'notice'],
  },
  env: [
    'AIDER_MODEL',
    'AIDER_WEAK_MODEL',
    'AIDER_EDITOR_MODEL',
    'AIDER_EDIT_FORMAT',
    'AIDER_OPENAI_API_BASE',
    'AIDER_OPENAI_API_KEY',
    'AIDER_ANTHROPIC_API_KEY',
    'OPENAI_API_KEY',
    'OPENAI_API_BASE',
    'ANTHROPIC_API_KEY',
    'GEMINI_API_KEY',
    'OPENROUTER_API_KEY',
    'DEEPSEEK_API_KEY',
    'GROQ_API_KEY',
    'XAI_API_KEY',
    'MISTRAL_API_KEY',
    'OLLAMA_API_BASE',
    'AZURE_API_KEY',
    'AZURE_API_BASE',
    'AZURE_API_VERSION',
    'VERTEXAI_PROJECT',
    'VERTEXAI_LOCATION',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'AWS_PROFILE',
    'AWS_REGION',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
  ],
  box,
  leaves: ['.aider*', '.aider*/**'],
  errors: [
    { class: 'quota', text: 'insufficient credits with the api provider|insufficient_quota' },
    {
      class: 'auth',
      text: 'not able to authenticate you. check your api key|permission was denied. check your api key|litellm.AuthenticationError',
    },
    { class: 'rate_limit', text: 'api provider has rate limited you|litellm.RateLimitError' },
    { class: 'context', text: 'litellm.ContextWindowExceededError|exceeds the .* token limit' },
    {
      class: 'overload',
      text: 'servers are down or overloaded|litellm.(InternalServerError|ServiceUnavailableError|BadGatewayError)',
    },
    { class: 'network', text: 'litellm.APIConnectionError|timed out without returning a response' },
    { class: 'setup', text: 'litellm.NotFoundError|message file not found' },
  ],
  notes: ['It has no hooks.'],
};
