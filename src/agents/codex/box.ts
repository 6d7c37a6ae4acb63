// What Codex needs of the home in a box. Seen: 0.166.0, a new home and a used one. Its credentials are a single file in the folder.
// In a new home it reports on standard error that it cannot install its own skills, and works without them.

import type { AgentBox } from '../../kernel/agent-box.ts';

export const box: AgentBox = {
  homes: { CODEX_HOME: '~/.codex' },
  writable: ['$CODEX_HOME/'],
  readOnly: [
    '$CODEX_HOME/config.toml',
    '$CODEX_HOME/hooks.json',
    '$CODEX_HOME/AGENTS.md',
    '$CODEX_HOME/AGENTS.override.md',
    '$CODEX_HOME/.env',
    '$CODEX_HOME/agents/',
    '$CODEX_HOME/prompts/',
    '$CODEX_HOME/rules/',
    '$CODEX_HOME/skills/',
    '$CODEX_HOME/plugins/',
    // A copy of the program, which its daemon starts.
    '$CODEX_HOME/packages/',
    '~/.agents/',
  ],
  asideIfNew: [
    '$CODEX_HOME/environments.toml',
    '$CODEX_HOME/requirements.toml',
    '$CODEX_HOME/.codex-plugin/',
    '$CODEX_HOME/.claude-plugin/',
    '$CODEX_HOME/.cursor-plugin/',
  ],
};
