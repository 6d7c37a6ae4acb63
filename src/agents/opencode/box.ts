// What OpenCode needs of the home in a box. Seen: 1.18.33, a new home and a used one. It ends when it cannot write a .gitignore
// beside its settings; the cache holds programs and packages that it runs.

import type { AgentBox } from '../../kernel/agent-box.ts';

export const box: AgentBox = {
  homes: {
    XDG_DATA_HOME: '~/.local/share',
    XDG_STATE_HOME: '~/.local/state',
    XDG_CONFIG_HOME: '~/.config',
    XDG_CACHE_HOME: '~/.cache',
  },
  // Credentials and sessions; locks.
  writable: ['$XDG_DATA_HOME/opencode/', '$XDG_STATE_HOME/opencode/'],
  readOnly: [
    // Programs of older versions.
    '$XDG_DATA_HOME/opencode/bin/',
    '~/.opencode/',
    '~/.claude/CLAUDE.md',
    '~/.claude/skills/',
    '~/.agents/',
  ],
  copied: ['$XDG_CONFIG_HOME/opencode/', '$XDG_CACHE_HOME/opencode/'],
};
