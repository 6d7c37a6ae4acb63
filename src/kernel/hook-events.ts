/** What happened in an agent, in our words: the first argument of foreword-hook, and the events that init puts it at.
 *  How to add one: CONTRIBUTING.md, "Add a hook event". */
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
