// What Claude Code needs of the home in a box. Seen: 2.1.325, a new home and a used one. Its credentials are a single file in the
// folder, which it replaces when a token is refreshed, so the folder itself must be writable. Without plugins/ and settings.json
// to write in it works as before.

import type { AgentBox } from '../../kernel/agent-box.ts';

export const box: AgentBox = {
  homes: { CLAUDE_CONFIG_DIR: '~/.claude' },
  writable: ['$CLAUDE_CONFIG_DIR/'],
  readOnly: [
    '$CLAUDE_CONFIG_DIR/settings.json',
    '$CLAUDE_CONFIG_DIR/CLAUDE.md',
    '$CLAUDE_CONFIG_DIR/rules/',
    '$CLAUDE_CONFIG_DIR/agents/',
    '$CLAUDE_CONFIG_DIR/commands/',
    '$CLAUDE_CONFIG_DIR/skills/',
    '$CLAUDE_CONFIG_DIR/plugins/',
    '$CLAUDE_CONFIG_DIR/hooks/',
    '$CLAUDE_CONFIG_DIR/workflows/',
    '$CLAUDE_CONFIG_DIR/output-styles/',
    '$CLAUDE_CONFIG_DIR/themes/',
    '$CLAUDE_CONFIG_DIR/keybindings.json',
    '$CLAUDE_CONFIG_DIR/cowork_settings.json',
    '$CLAUDE_CONFIG_DIR/cowork_plugins/',
    '$CLAUDE_CONFIG_DIR/dev-mods/',
    '$CLAUDE_CONFIG_DIR/daemon/',
    // A copy of the program, where it installed itself.
    '$CLAUDE_CONFIG_DIR/local/',
    '~/.config/anthropic/',
  ],
  // It replaces the file at every start.
  copied: ['~/.claude.json'],
  asideIfNew: [
    // Takes the place of ~/.claude.json where it is, and so can name programs to start.
    '$CLAUDE_CONFIG_DIR/.config.json',
    // ~/.claude.json, where the variable moved it.
    '$CLAUDE_CONFIG_DIR/.claude.json',
    '$CLAUDE_CONFIG_DIR/daemon.json',
  ],
};
