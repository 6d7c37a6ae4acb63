import type { RecordingFacts } from '../../kernel/agent-recording.ts';

/** Neither title nor hints: a status line of the person's, which is never the same, takes their place. */
const OWN_LINE: Pick<NonNullable<RecordingFacts['acts']>[string], 'env' | 'files'> = {
  env: { CLAUDE_CODE_DISABLE_TERMINAL_TITLE: '1' },
  files: ({ home }) => ({
    [`${home}/.claude/settings.json`]: '{"statusLine":{"type":"command","command":"date +%T","refreshInterval":1}}',
  }),
};

export const recording: RecordingFacts = {
  ready: /^❯/m,
  dialog: /Do you want to/,
  conversation: { marks: ['● ', '  ', '❯ ', '  ⎿  '], own: 2 },
  question: {
    call: {
      tool: 'AskUserQuestion',
      input: {
        questions: [
          {
            question: 'Which colour?',
            header: 'Colour',
            multiSelect: false,
            options: [
              { label: 'Red', description: 'Warm' },
              { label: 'Blue', description: 'Cold' },
            ],
          },
        ],
      },
    },
  },
  interrupt: ['\x1b'],
  next: {
    login: [
      ['\r', 'login-method'],
      ['\r', 'login-code'],
    ],
  },
  acts: {
    // Shift-Tab leads to the mode for plans.
    plan: {
      scene: 'asked',
      asks: ['approval'],
      sizes: 2,
      leads: {
        keys: ['\x1b[Z', '\x1b[Z'],
        calls: [{ tool: 'ExitPlanMode', input: { plan: '1. Read the parser\n2. Fix it' } }],
        to: /Would you like to proceed|Exit plan mode/,
      },
    },
    agents: { scene: 'agents', asks: ['approval'], sizes: 2 },
    'command-own-line': { scene: 'command', asks: [], sizes: 1, ...OWN_LINE },
    'compaction-own-line': { scene: 'compaction', asks: [], sizes: 1, isSlow: true, ...OWN_LINE },
    mcp: {
      scene: 'server',
      asks: [],
      files: ({ project }) => ({ [`${project}/.mcp.json`]: '{"mcpServers":{"shop":{"command":"true","args":[]}}}' }),
    },
    // Without network it is off by default.
    suggestion: {
      scene: 'suggestion',
      asks: ['approval'],
      sizes: 2,
      env: { CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: '1' },
      suggestion: 'run the linter as well',
    },
  },
};
