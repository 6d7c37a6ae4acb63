/** What happened in an agent, in our words: the first argument of foreword-hook, and the events that init puts it at. */
export const HOOK_EVENTS = [
  'session-start',
  'prompt',
  'pre-tool',
  'post-tool',
  'pre-compact',
  'stop',
  'session-end',
] as const;

export type HookEvent = (typeof HOOK_EVENTS)[number];
