// AGENTS.md, and AGENT.md or CLAUDE.md where there is none (its manual).

import { AGENTS_MD, type InstructionRule } from '../../kernel/agent-instructions.ts';

export const instructions: InstructionRule = { places: [AGENTS_MD, { path: 'AGENT.md' }, { path: 'CLAUDE.md' }] };
