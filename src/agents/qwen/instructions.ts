// 0.24.4: QWEN.md, AGENTS.md and, at the top of a git work tree, .qwen/QWEN.local.md are all read.

import type { InstructionRule } from '../../kernel/agent-instructions.ts';

export const instructions: InstructionRule = { places: [{ path: '.qwen/QWEN.local.md', isLocal: true, create: {} }] };
