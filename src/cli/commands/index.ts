// The list of commands, in the groups in which the help shows them, each loaded when it is called. A test checks that every file
// of this folder is in it.

import type { Command } from '../command.ts';

type LoadCommand = () => Promise<Command>;

export const GROUPS: Readonly<Record<string, Readonly<Record<string, LoadCommand>>>> = {
  'Every day': {
    init: async () => (await import('./init.ts')).init,
    load: async () => (await import('./load.ts')).load,
    save: async () => (await import('./save.ts')).save,
    start: async () => (await import('./start.ts')).start,
    receipts: async () => (await import('./receipts.ts')).receipts,
    doctor: async () => (await import('./doctor.ts')).doctor,
  },
  'Work that goes on without you': {
    run: async () => (await import('./run.ts')).run,
    enqueue: async () => (await import('./enqueue.ts')).enqueue,
    worker: async () => (await import('./worker.ts')).worker,
    status: async () => (await import('./status.ts')).status,
    report: async () => (await import('./report.ts')).report,
    history: async () => (await import('./history.ts')).history,
    diff: async () => (await import('./diff.ts')).diff,
    accept: async () => (await import('./accept.ts')).accept,
    reject: async () => (await import('./reject.ts')).reject,
    undo: async () => (await import('./undo.ts')).undo,
    merge: async () => (await import('./merge.ts')).merge,
    effect: async () => (await import('./effect.ts')).effect,
  },
  'Agents in your terminal': {
    switch: async () => (await import('./switch.ts')).switchAgent,
    send: async () => (await import('./send.ts')).send,
    sessions: async () => (await import('./sessions.ts')).sessions,
    attach: async () => (await import('./attach.ts')).attach,
  },
  'What agents are given': {
    context: async () => (await import('./context.ts')).context,
    prompt: async () => (await import('./prompt.ts')).prompt,
    search: async () => (await import('./search.ts')).search,
  },
  'Setting up, checking, removing': {
    verify: async () => (await import('./verify.ts')).verify,
    xray: async () => (await import('./xray.ts')).xray,
    trust: async () => (await import('./trust.ts')).trust,
    adopt: async () => (await import('./adopt.ts')).adopt,
    clean: async () => (await import('./clean.ts')).clean,
    uninstall: async () => (await import('./uninstall.ts')).uninstall,
    completion: async () => (await import('./completion.ts')).completion,
  },
  'Records and figures': {
    dashboard: async () => (await import('./dashboard.ts')).dashboard,
    audit: async () => (await import('./audit.ts')).audit,
    metrics: async () => (await import('./metrics.ts')).metrics,
    export: async () => (await import('./export.ts')).exportRecords,
    import: async () => (await import('./import.ts')).importRecords,
  },
  'Called by agents, not by people': {
    hook: async () => (await import('./hook.ts')).hook,
    mcp: async () => (await import('./mcp.ts')).mcp,
  },
};

export const COMMANDS: Readonly<Record<string, LoadCommand>> = Object.assign({}, ...Object.values(GROUPS));
