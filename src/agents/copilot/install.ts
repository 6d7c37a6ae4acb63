// Seen with 1.0.102. A file of our own in a folder of hook files; still edited like any other, since somebody may add to it.

import { HOOK_TIMEOUT_S } from '../../kernel/agent-hooks.ts';
import type { InstallFacts } from '../../kernel/agent-install.ts';

export const install: InstallFacts = {
  title: 'GitHub Copilot CLI',
  programs: ['copilot'],
  folder: { in: 'home', path: '.copilot', variable: 'COPILOT_HOME' },
  user: [{ path: 'hooks/foreword.json', format: 'json' }],
  project: [{ path: '.github/hooks/foreword.json', format: 'json' }],
  content: {
    kind: 'entries',
    entry: { type: 'command', bash: '{line}', timeoutSec: HOOK_TIMEOUT_S },
    base: { version: 1 },
  },
  switchedOff: {
    file: 'settings.json',
    at: ['disableAllHooks'],
    is: true,
    project: ['.github/copilot/settings.json', '.github/copilot/settings.local.json'],
  },
  notes: {
    project: ['Copilot runs hooks of a repository only in a folder that you trust; with -p it skips them otherwise.'],
  },
};
