// Hooks of Cursor, as @cursor/sdk 1.0.18 has them.

import type { HookFacts } from '../../kernel/agent-hooks.ts';

export const hooks: HookFacts = {
  events: {
    'session-start': 'sessionStart',
    prompt: 'beforeSubmitPrompt',
    'pre-tool': 'preToolUse',
    'post-tool': 'postToolUse',
    'pre-compact': 'preCompact',
    stop: 'stop',
    'session-end': 'sessionEnd',
  },
  gate: 'pre-tool',
  envelope: 'additional_context',
  projectVariable: 'CURSOR_PROJECT_DIR',
  compacted: [],
};
