// 1.18.33: the first of the three, and no local one.

import { AGENTS_MD, type InstructionRule } from '../../kernel/agent-instructions.ts';

export const instructions: InstructionRule = { places: [AGENTS_MD, { path: 'CLAUDE.md' }, { path: 'CONTEXT.md' }] };
