// Hooks of Copilot CLI, 1.0.102, with events in its own spelling. It calls the start and the first prompt at the same moment.
// What a hook printed is in `hook.end`; what the model got is not kept for a resumed session. Of a text at the start nothing shows
// that it was given to the model; one at a prompt stands in `transformedContent` of the person's message, or was lost.

import type { HookFacts } from '../../kernel/agent-hooks.ts';

export const hooks: HookFacts = {
  events: {
    'session-start': 'sessionStart',
    prompt: 'userPromptSubmitted',
    'pre-tool': 'preToolUse',
    'post-tool': 'postToolUse',
    'pre-compact': 'preCompact',
    stop: 'agentStop',
    'session-end': 'sessionEnd',
  },
  gate: 'pre-tool',
  startsAt: 'prompt',
  envelope: 'additionalContext',
  shown: ['prompt'],
  maxBytes: 9900,
  forgets: ['gate', 'startup'],
  // One that failed says `false`, and took nothing out.
  compacted: ['"type":"session.compaction_complete","data":{"success":true'],
  printed: { types: ['hook.start', 'hook.end'] },
};
