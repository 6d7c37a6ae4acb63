// After its manual.

import type { InstallFacts } from '../../kernel/agent-install.ts';

export const install: InstallFacts = {
  title: 'Amp',
  programs: ['amp'],
  folder: { in: 'home', path: '.config/amp' },
  user: [{ path: 'AGENTS.md', format: 'block' }],
  project: [{ path: 'AGENTS.md', format: 'block' }],
  // It and others read these where there is no AGENTS.md.
  content: { kind: 'block', unless: ['AGENT.md', 'CLAUDE.md', 'CONTEXT.md'] },
  notes: { always: ['AGENTS.md asks Amp to run foreword itself; it may not do so.'] },
};
