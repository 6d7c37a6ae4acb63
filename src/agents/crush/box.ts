// What Crush needs of the home in a box. From the source of 0.90, not run by us: its data folder holds keys and the models that were
// chosen; sessions are in the project.

import type { AgentBox } from '../../kernel/agent-box.ts';

export const box: AgentBox = {
  homes: {
    CRUSH_GLOBAL_DATA: '~/.local/share/crush',
    CRUSH_CACHE_DIR: '~/.cache/crush',
    CRUSH_GLOBAL_CONFIG: '~/.config/crush',
    CRUSH_SKILLS_DIR: '~/.config/crush/skills',
  },
  writable: ['$CRUSH_GLOBAL_DATA/', '$CRUSH_CACHE_DIR/'],
  readOnly: ['$CRUSH_GLOBAL_CONFIG/', '$CRUSH_SKILLS_DIR/', '~/.agents/', '~/.claude/skills/'],
};
