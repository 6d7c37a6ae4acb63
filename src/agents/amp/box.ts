// What Amp needs of the home in a box. From its manual, not run by us in a box: the key, threads and logs; its settings and plug-ins.

import type { AgentBox } from '../../kernel/agent-box.ts';

export const box: AgentBox = {
  writable: ['~/.local/share/amp/', '~/.cache/amp/'],
  readOnly: ['~/.agents/', '~/.claude/skills/'],
  copied: ['~/.config/amp/'],
};
