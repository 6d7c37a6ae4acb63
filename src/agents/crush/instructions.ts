// 0.90: all of its context files are read, the local one among them.

import type { InstructionRule } from '../../kernel/agent-instructions.ts';

export const instructions: InstructionRule = { places: [{ path: 'CRUSH.local.md', isLocal: true, create: {} }] };
