/** Our names of an agent's hook events: the first argument of foreword-hook, and the events that init installs it for. */
export const HOOK_EVENTS = [
  'session-start',
  'prompt',
  'pre-tool',
  'post-tool',
  'pre-compact',
  'stop',
  'session-end',
  'subagent-start',
] as const;

export type HookEvent = (typeof HOOK_EVENTS)[number];
