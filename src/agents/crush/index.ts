// Crush. Not run by us: flags, messages and screens from the source of 0.90.

import type { AgentFacts } from '../../kernel/agent.ts';
import { box } from './box.ts';

export const agent: AgentFacts = {
  oneshot: {
    // run approves what the session asks; no flag of ours does.
    command: ['crush', 'run', '--quiet'],
    prompt: 'stdin',
    output: { format: 'text' },
    // It prints the model's words and nothing else: while the model only uses tools it is silent.
    firstOutputS: 900,
  },
  interactive: {
    command: ['crush'],
    screensFrom: 'documents',
    screens: [
      { state: 'asking', name: 'approval', text: 'Permission Required|Allow for Session', hasComposer: false },
      { state: 'asking', name: 'onboarding', text: 'Would you like to initialize', hasComposer: false },
      { state: 'asking', name: 'menu', text: 'enter confirm • esc cancel', hasComposer: false },
      { state: 'busy', footer: '^\\s*esc (press again to )?cancel' },
      { state: 'ready', footer: 'enter send' },
    ],
    composer: {
      line: '^ {2}>(?: (.*))?$',
      more: '^:::(?: (.*))?$',
      cursor: 'shown',
      ghost:
        '(?:Ready(?:!|\\.\\.\\.|\\?| for instructions)|Working(?:!|\\.\\.\\.)|Brrrrr\\.\\.\\.|Prrrrrrrr\\.\\.\\.|Processing\\.\\.\\.|Thinking\\.\\.\\.)',
    },
    submit: { key: 'enter', delayMs: 300 },
    proofs: ['queued', 'placed', 'submitted', 'acknowledged'],
    // Its one hook runs before the first tool.
    ladder: ['hook', 'typed', 'file', 'notice'],
  },
  env: [
    'CRUSH_GLOBAL_CONFIG',
    'CRUSH_GLOBAL_DATA',
    'CRUSH_CACHE_DIR',
    'CRUSH_SKILLS_DIR',
    'CRUSH_DISABLE_PROVIDER_AUTO_UPDATE',
    'CRUSH_DISABLE_DEFAULT_PROVIDERS',
    'CRUSH_DISABLE_METRICS',
    'DO_NOT_TRACK',
    'XDG_CONFIG_HOME',
    'XDG_DATA_HOME',
    'XDG_CACHE_HOME',
    'ANTHROPIC_API_KEY',
    'OPENAI_API_KEY',
    'OPENROUTER_API_KEY',
    'GEMINI_API_KEY',
    'GROQ_API_KEY',
    'CEREBRAS_API_KEY',
    'HF_TOKEN',
    'VERTEXAI_PROJECT',
    'VERTEXAI_LOCATION',
    'AZURE_OPENAI_API_ENDPOINT',
    'AZURE_OPENAI_API_KEY',
    'AWS_PROFILE',
    'AWS_REGION',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
  ],
  box,
  leaves: ['.crush/**'],
  localFiles: ['CRUSH.local.md'],
  errors: [
    { class: 'setup', text: 'no providers configured|no prompt provided' },
    { class: 'auth', text: '\\bunauthorized\\b' },
  ],
  notes: ['It has one hook, before a tool; foreword types the startup context.'],
};
