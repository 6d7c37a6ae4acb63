// Only Goose reads .goosehints, so it is less in the way of others than AGENTS.md.

import type { InstallFacts } from '../../kernel/agent-install.ts';

export const install: InstallFacts = {
  title: 'Goose',
  // A tool for databases has the same name.
  programs: [],
  folder: { in: 'config', path: 'goose' },
  user: [{ path: '.goosehints', format: 'block' }],
  project: [{ path: '.goosehints', format: 'block' }],
  content: { kind: 'block' },
  notes: {
    always: ['Goose has no hook that reaches its model: .goosehints asks it to run foreword itself; it may not do so.'],
  },
};
