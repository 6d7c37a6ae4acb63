import type { RecordingFacts } from '../../kernel/agent-recording.ts';

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
    agents: { scene: 'agents', asks: ['approval'], sizes: 2 },
    // Neither title nor hints: a status line of the person's, which is never the same, takes their place.
    'compaction-own-line': {
      scene: 'compaction',
      asks: [],
      sizes: 1,
      isSlow: true,
      env: { CLAUDE_CODE_DISABLE_TERMINAL_TITLE: '1' },
      files: ({ home }) => ({
        [`${home}/.claude/settings.json`]: '{"statusLine":{"type":"command","command":"date +%T","refreshInterval":1}}',
      }),
    },
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
