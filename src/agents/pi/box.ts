// What pi needs of the home in a box. Seen: 0.87.1, a new home and a used one. Its credentials are a single file in the folder.

import type { AgentBox } from '../../kernel/agent-box.ts';

export const box: AgentBox = {
  homes: { PI_CODING_AGENT_DIR: '~/.pi/agent', PI_CODING_AGENT_SESSION_DIR: '~/.pi/agent/sessions' },
  writable: ['$PI_CODING_AGENT_DIR/', '$PI_CODING_AGENT_SESSION_DIR/'],
  readOnly: [
    '$PI_CODING_AGENT_DIR/settings.json',
    '$PI_CODING_AGENT_DIR/models.json',
    '$PI_CODING_AGENT_DIR/keybindings.json',
    '$PI_CODING_AGENT_DIR/extensions/',
    '$PI_CODING_AGENT_DIR/hooks/',
    '$PI_CODING_AGENT_DIR/tools/',
    '$PI_CODING_AGENT_DIR/skills/',
    '$PI_CODING_AGENT_DIR/prompts/',
    '$PI_CODING_AGENT_DIR/commands/',
    '$PI_CODING_AGENT_DIR/themes/',
    // Packages and programs that it installed.
    '$PI_CODING_AGENT_DIR/npm/',
    '$PI_CODING_AGENT_DIR/git/',
    '$PI_CODING_AGENT_DIR/bin/',
    '~/.agents/',
  ],
  asideIfNew: [
    // The first of these that is there counts, also an empty one.
    '$PI_CODING_AGENT_DIR/AGENTS.override.md',
    '$PI_CODING_AGENT_DIR/AGENTS.md',
    '$PI_CODING_AGENT_DIR/AGENTS.MD',
    '$PI_CODING_AGENT_DIR/CLAUDE.md',
    '$PI_CODING_AGENT_DIR/CLAUDE.MD',
    // Take the place of its own instructions, and add to them.
    '$PI_CODING_AGENT_DIR/SYSTEM.md',
    '$PI_CODING_AGENT_DIR/APPEND_SYSTEM.md',
    '$PI_CODING_AGENT_DIR/oauth.json',
  ],
};
