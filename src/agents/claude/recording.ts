import type { RecordingFacts } from '../../kernel/agent-recording.ts';

export const recording: RecordingFacts = {
  ready: /^❯/m,
  dialog: /Do you want to/,
  interrupt: ['\x1b'],
  next: {
    login: [
      ['\r', 'login-method'],
      ['\r', 'login-code'],
    ],
  },
  acts: {
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
