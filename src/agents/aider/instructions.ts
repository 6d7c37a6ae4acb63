// Only with --read; a file given so is sent anew with every request, and passed over when it is not there (0.86).

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
