// 0.166: AGENTS.override.md is read instead of AGENTS.md in the same folder, so it is never created. Where it is configured
// so, it reads other files in the place of AGENTS.md.

import { AGENTS_MD, type InstructionRule } from '../../kernel/agent-instructions.ts';

export const instructions: InstructionRule = { places: [{ path: 'AGENTS.override.md' }, AGENTS_MD] };
