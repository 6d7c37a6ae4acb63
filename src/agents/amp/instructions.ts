// AGENTS.md, or without it AGENT.md or CLAUDE.md (its manual).

import { AGENTS_MD, type InstructionRule } from '../../kernel/agent-instructions.ts';

export const instructions: InstructionRule = { places: [AGENTS_MD, { path: 'AGENT.md' }, { path: 'CLAUDE.md' }] };
