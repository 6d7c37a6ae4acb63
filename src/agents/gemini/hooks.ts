// Hooks of Gemini CLI, 0.61.0: hook output before a tool runs does not reach the model; output after it does, unless the tool
// failed: of such a tool the model is sent the message of the error and nothing else (`createErrorResult` of its core). A command
// that ends with another status than 0 has not failed in this sense.

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
  shown: ['session-start', 'prompt', 'post-tool'],
  failedTool: { field: 'tool_response', key: 'error' },
  projectVariable: 'GEMINI_PROJECT_DIR',
  // It sends `auto` before every request, and checks only then whether there is too much (`compress` of its core). What the
  // model has after a compaction is recorded whole, with the summary before what was kept.
  triggers: ['manual'],
  isCompactedSilently: true,
  isResumedInOldTranscript: true,
  // In a resumed session the first prompt is what the person wrote, without the text before it.
  forgets: ['startup'],
  // The summary is the beginning of a message in the person's name. Answers, commands and the summary at its end hold the tag too.
  compacted: ['"type":"user","content":[{"text":"<state_snapshot>'],
  rewound: '{"$rewindTo":"',
  retold: '{"$set":{"messages":',
};
