// Hooks of Codex, 0.166.0: over 2,500 tokens, which it takes for 10,000 bytes, a text becomes a file and a preview.

import { type EntryShape, HOOK_TIMEOUT_S, type HookFacts } from '../../kernel/agent-hooks.ts';
import type { HookEvent } from '../../kernel/hook-events.ts';

export const hooks: HookFacts = {
  events: {
    'session-start': 'SessionStart',
    prompt: 'UserPromptSubmit',
    'pre-tool': 'PreToolUse',
    'post-tool': 'PostToolUse',
    'pre-compact': 'PreCompact',
    stop: 'Stop',
    'session-end': 'SessionEnd',
    'subagent-start': 'SubagentStart',
  },
  gate: 'pre-tool',
  envelope: 'hookSpecificOutput',
  shown: ['session-start', 'prompt', 'pre-tool'],
  maxBytes: 9900,
  compacted: ['"type":"compacted"'],
};

/** At the end of a session it ends what runs after 3 s, and warns of a larger number. */
export function entryAt(event: HookEvent): EntryShape {
  const timeout = event === 'session-end' ? 3 : HOOK_TIMEOUT_S;
  return { hooks: [{ type: 'command', command: '{line}', timeout }] };
}

/** The event in the key of a hook: `PreToolUse` is `pre_tool_use`. */
export function labelOf(event: string): string {
  return event.replace(/(?<=.)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
