// Seen with 0.24.4.

import { HOOK_TIMEOUT_S } from '../../kernel/agent-hooks.ts';
import type { InstallFacts } from '../../kernel/agent-install.ts';

export const install: InstallFacts = {
  title: 'Qwen Code',
  programs: ['qwen'],
  folder: { in: 'home', path: '.qwen', variable: 'QWEN_HOME' },
  user: [{ path: 'settings.json', format: 'json' }],
  project: [{ path: '.qwen/settings.json', format: 'json' }],
  content: {
    kind: 'entries',
    // It adds the version of its format to a file without one: it would change a file that is committed.
    base: { $version: 4 },
    // In milliseconds.
    entry: { hooks: [{ type: 'command', name: 'foreword', command: '{line}', timeout: HOOK_TIMEOUT_S * 1000 }] },
  },
  switchedOff: {
    file: 'settings.json',
    at: ['disableAllHooks'],
    is: true,
    project: ['.qwen/settings.json'],
    system: ['/etc/qwen-code/settings.json', '/Library/Application Support/QwenCode/settings.json'],
  },
  notes: { project: ['Qwen Code runs hooks of a project only in a folder that you trust.'] },
};
