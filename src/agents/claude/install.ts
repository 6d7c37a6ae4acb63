// Seen with 2.1.325.

import { HOOK_TIMEOUT_S } from '../../kernel/agent-hooks.ts';
import type { InstallFacts } from '../../kernel/agent-install.ts';

export const install: InstallFacts = {
  title: 'Claude Code',
  programs: ['claude'],
  folder: { in: 'home', path: '.claude', variable: 'CLAUDE_CONFIG_DIR' },
  user: [{ path: 'settings.json', format: 'json' }],
  // In a project the local file: it is the one that is not committed, and ours holds a path of this machine.
  project: [
    { path: '.claude/settings.local.json', format: 'json' },
    { path: '.claude/settings.json', format: 'json' },
  ],
  team: [{ path: '.claude/settings.json', format: 'json' }],
  content: {
    kind: 'entries',
    // Without a matcher, which means every tool and every kind of start.
    entry: { hooks: [{ type: 'command', command: '{line}', timeout: HOOK_TIMEOUT_S }] },
    // Copilot runs the hooks in .claude/ of a project, and Cursor, when a person switched that on, those in any of these
    // files. They have entries of their own, and would get everything twice. Both set a variable for their hooks
    // that Claude Code does not, and it sets one of its own, also when one of them started it (Copilot 1.0.102).
    unless: 'test -z "$CLAUDECODE" -a -n "$COPILOT_PROJECT_DIR$CURSOR_PROJECT_DIR"',
  },
  switchedOff: {
    file: 'settings.json',
    at: ['disableAllHooks'],
    is: true,
    project: ['.claude/settings.json', '.claude/settings.local.json'],
    system: ['/etc/claude-code/managed-settings.json', '/Library/Application Support/ClaudeCode/managed-settings.json'],
    systemFolders: [
      '/etc/claude-code/managed-settings.d',
      '/Library/Application Support/ClaudeCode/managed-settings.d',
    ],
    systemOnly: { at: ['allowManagedHooksOnly'], is: true },
  },
  notes: { project: ['Claude Code runs hooks of a project only after you confirmed that you trust its folder.'] },
};
