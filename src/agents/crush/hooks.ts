// Crush 0.90 has this one event.

import type { HookFacts } from '../../kernel/agent-hooks.ts';

export const hooks: HookFacts = {
  events: { 'pre-tool': 'PreToolUse' },
  gate: 'pre-tool',
  envelope: 'context',
  projectVariable: 'CRUSH_PROJECT_DIR',
  compacted: [],
};
