// Hooks of Gemini CLI, 0.61.0: nothing said before a tool runs reaches the model, what is said after it does.

import type { HookFacts } from '../../kernel/agent-hooks.ts';

export const hooks: HookFacts = {
  events: {
    'session-start': 'SessionStart',
    prompt: 'BeforeAgent',
    'pre-tool': 'BeforeTool',
    'post-tool': 'AfterTool',
    'pre-compact': 'PreCompress',
    stop: 'AfterAgent',
    'session-end': 'SessionEnd',
  },
  gate: 'post-tool',
  envelope: 'hookSpecificOutput',
  projectVariable: 'GEMINI_PROJECT_DIR',
  // It says `auto` before every request, and looks only then whether there is too much (`compress` of its core). What the
  // model has after a compaction is recorded whole, with the summary before what was kept.
  triggers: ['manual'],
  isCompactedSilently: true,
  isResumedInOldTranscript: true,
  // Resumed, the first prompt is what the person wrote, without what stood before it.
  forgets: ['startup'],
  compacted: ['<state_snapshot>'],
  retold: '{"$set":{"messages":',
};
