// What Cursor CLI needs of the home in a box. From documents, not run by us.

import type { AgentBox } from '../../kernel/agent-box.ts';

export const box: AgentBox = {
  homes: { CURSOR_CONFIG_DIR: '~/.cursor', XDG_CONFIG_HOME: '~/.config' },
  // Transcripts and plans; the login, prompts and chats.
  writable: ['~/.cursor/', '$CURSOR_CONFIG_DIR/', '$XDG_CONFIG_HOME/cursor/'],
  readOnly: [
    '~/.cursor/mcp.json',
    '~/.cursor/hooks.json',
    '~/.cursor/hooks/',
    '~/.cursor/rules/',
    '~/.cursor/commands/',
    '~/.cursor/agents/',
    '~/.cursor/skills/',
    '~/.cursor/plugins/',
    '~/.cursor/extensions/',
    '~/.claude/settings.json',
    '~/.claude/skills/',
    '~/.agents/',
  ],
  // Permissions. It repairs a file that lacks fields, so an empty one would be repaired.
  asideIfNew: ['$CURSOR_CONFIG_DIR/cli-config.json', '$XDG_CONFIG_HOME/cursor/cli-config.json'],
};
