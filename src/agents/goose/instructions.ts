// 1.34: .goosehints and AGENTS.md are both read.

import type { InstructionRule } from '../../kernel/agent-instructions.ts';

export const instructions: InstructionRule = { places: [{ path: '.goosehints', create: {} }] };
