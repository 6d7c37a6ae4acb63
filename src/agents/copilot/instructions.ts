// 1.0.102: .github/copilot-instructions.md, AGENTS.md, CLAUDE.md and GEMINI.md are all read; the first is its own.

import type { InstructionRule } from '../../kernel/agent-instructions.ts';

export const instructions: InstructionRule = { places: [{ path: '.github/copilot-instructions.md', create: {} }] };
