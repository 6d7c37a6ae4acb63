// As @cursor/sdk 1.0.18 has it. One name that it does not know voids the whole file, so only names of every version since
// early 2026.

import { HOOK_TIMEOUT_S } from '../../kernel/agent-hooks.ts';
import type { InstallFacts } from '../../kernel/agent-install.ts';

export const install: InstallFacts = {
  title: 'Cursor CLI',
  programs: ['cursor-agent'],
  folder: { in: 'home', path: '.cursor' },
  user: [{ path: 'hooks.json', format: 'json' }],
  project: [{ path: '.cursor/hooks.json', format: 'json' }],
  content: { kind: 'entries', entry: { command: '{line}', timeout: HOOK_TIMEOUT_S }, base: { version: 1 } },
  notes: {
    always: [
      'Cursor with -p runs no hook at a prompt; it gets the context at the session start and with the result of its first tool.',
    ],
  },
};
