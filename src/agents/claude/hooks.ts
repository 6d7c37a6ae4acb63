// Hooks of Claude Code, 2.1.325. Over 10,000 characters a text becomes a file and a preview. After a compaction its session-start hook
// runs, with the source `compact`. PreCompact is not used: of each such hook, silent or not, it prints a line to the person.

import type { HookFacts } from '../../kernel/agent-hooks.ts';

export const hooks: HookFacts = {
  events: {
    'session-start': 'SessionStart',
    prompt: 'UserPromptSubmit',
    'pre-tool': 'PreToolUse',
    'post-tool': 'PostToolUse',
    stop: 'Stop',
    'session-end': 'SessionEnd',
    'subagent-start': 'SubagentStart',
  },
  gate: 'pre-tool',
  envelope: 'hookSpecificOutput',
  shown: ['session-start', 'prompt', 'pre-tool'],
  projectVariable: 'CLAUDE_PROJECT_DIR',
  compacted: ['"subtype":"compact_boundary"', '"isCompactSummary":true'],
  refused: '[Request interrupted by user',
  printed: { keys: ['stdout'] },
  isAssumed: true,
};
