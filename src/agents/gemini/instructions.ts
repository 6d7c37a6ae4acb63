// 0.61: only GEMINI.md, unless its settings name others.

import type { InstructionRule } from '../../kernel/agent-instructions.ts';

export const instructions: InstructionRule = { places: [{ path: 'GEMINI.md', create: {} }] };
