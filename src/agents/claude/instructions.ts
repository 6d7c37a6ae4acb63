// 2.1.325: CLAUDE.md, CLAUDE.local.md and .claude/rules/*.md are all read. AGENTS.md is read only in a project that has
// neither CLAUDE.md nor CLAUDE.local.md: creating either turns it off, a rule does not.

import type { InstructionRule } from '../../kernel/agent-instructions.ts';

export const instructions: InstructionRule = {
  places: [
    { path: 'CLAUDE.local.md', isLocal: true, create: { unless: ['AGENTS.md', '.claude/AGENTS.md'] } },
    { path: '.claude/rules/foreword.md', create: {} },
  ],
};
