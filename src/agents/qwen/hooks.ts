// Hooks of Qwen Code, 0.24.4. It accepts hook output before a tool runs and drops it, against its documentation. Hook output
// at the start is part of the system prompt of that run.

import type { HookFacts } from '../../kernel/agent-hooks.ts';

export const hooks: HookFacts = {
  events: {
    'session-start': 'SessionStart',
    prompt: 'UserPromptSubmit',
    'pre-tool': 'PreToolUse',
    'pre-compact': 'PreCompact',
    stop: 'Stop',
    'session-end': 'SessionEnd',
    'post-tool': 'PostToolUse',
  },
  gate: 'post-tool',
  envelope: 'hookSpecificOutput',
  shown: ['prompt', 'post-tool'],
  projectVariable: 'QWEN_PROJECT_DIR',
  startsAt: 'prompt',
  forgets: ['startup'],
  compacted: ['"subtype":"chat_compression"'],
};
