// Seen in 0.90. Its JSON allows no comments, so we add no comment.

import { HOOK_TIMEOUT_S } from '../../kernel/agent-hooks.ts';
import type { InstallFacts } from '../../kernel/agent-install.ts';

export const install: InstallFacts = {
  title: 'Crush',
  programs: ['crush'],
  folder: { in: 'config', path: 'crush' },
  user: [{ path: 'crush.json', format: 'json', variable: 'CRUSH_GLOBAL_CONFIG' }],
  project: [
    { path: 'crush.json', format: 'json' },
    { path: '.crush.json', format: 'json' },
  ],
  takes: 'last-existing',
  content: { kind: 'entries', entry: { command: '{line}', timeout: HOOK_TIMEOUT_S } },
  notes: { always: ['Crush gets the context with the result of its first tool; it has no other hook.'] },
};
