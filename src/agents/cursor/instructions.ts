// AGENTS.md and CLAUDE.md at the root are read (its manual); a rule of its own needs front matter.

import { AGENTS_MD, type InstructionRule } from '../../kernel/agent-instructions.ts';

export const instructions: InstructionRule = { places: [AGENTS_MD, { path: 'CLAUDE.md' }] };
