// The list of commands, each loaded when it is called. A test checks that every file of this folder is in it.

import type { Command } from '../command.ts';

export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  context: async () => (await import('./context.ts')).context,
  prompt: async () => (await import('./prompt.ts')).prompt,
  run: async () => (await import('./run.ts')).run,
  status: async () => (await import('./status.ts')).status,
  history: async () => (await import('./history.ts')).history,
  effect: async () => (await import('./effect.ts')).effect,
  metrics: async () => (await import('./metrics.ts')).metrics,
  dashboard: async () => (await import('./dashboard.ts')).dashboard,
  doctor: async () => (await import('./doctor.ts')).doctor,
  verify: async () => (await import('./verify.ts')).verify,
  trust: async () => (await import('./trust.ts')).trust,
  adopt: async () => (await import('./adopt.ts')).adopt,
  start: async () => (await import('./start.ts')).start,
  send: async () => (await import('./send.ts')).send,
  sessions: async () => (await import('./sessions.ts')).sessions,
  receipts: async () => (await import('./receipts.ts')).receipts,
  attach: async () => (await import('./attach.ts')).attach,
  init: async () => (await import('./init.ts')).init,
  uninstall: async () => (await import('./uninstall.ts')).uninstall,
  hook: async () => (await import('./hook.ts')).hook,
  clean: async () => (await import('./clean.ts')).clean,
  save: async () => (await import('./save.ts')).save,
  load: async () => (await import('./load.ts')).load,
  search: async () => (await import('./search.ts')).search,
  export: async () => (await import('./export.ts')).exportRecords,
  import: async () => (await import('./import.ts')).importRecords,
};
