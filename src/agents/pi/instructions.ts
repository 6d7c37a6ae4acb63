// 0.87.1: the first of the three. .pi/ is never created: its presence makes it ask whether the folder is trusted.

import { AGENTS_MD, type InstructionRule } from '../../kernel/agent-instructions.ts';

export const instructions: InstructionRule = {
  places: [{ path: 'AGENTS.override.md' }, AGENTS_MD, { path: 'CLAUDE.md' }],
};
