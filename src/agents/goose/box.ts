// What Goose needs of the home in a box. From documents, not run by us. Keys that are in a keyring cannot be reached from the box:
// set them in the environment.

import type { AgentBox } from '../../kernel/agent-box.ts';

export const box: AgentBox = {
  homes: { XDG_CONFIG_HOME: '~/.config', XDG_DATA_HOME: '~/.local/share', XDG_STATE_HOME: '~/.local/state' },
  // Sessions; logs.
  writable: ['$XDG_DATA_HOME/goose/', '$XDG_STATE_HOME/goose/'],
  readOnly: ['~/.agents/'],
  // Settings, permissions, prompts, and secrets without a keyring.
  copied: ['$XDG_CONFIG_HOME/goose/'],
};
