// Only with --read; such a file is sent again with every request, and skipped when it does not exist (0.86).

import type { InstructionRule } from '../../kernel/agent-instructions.ts';

export const instructions: InstructionRule = {
  places: [
    {
      path: '.foreword/aider.local.md',
      create: {},
      isLocal: true,
      needsArguments: ['--read', '.foreword/aider.local.md'],
    },
  ],
};
