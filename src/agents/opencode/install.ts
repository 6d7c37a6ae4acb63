// Seen with 1.18.

import type { InstallFacts } from '../../kernel/agent-install.ts';
import { PLUG_IN } from './plug-in.ts';

export const install: InstallFacts = {
  title: 'OpenCode',
  programs: ['opencode'],
  folder: { in: 'config', path: 'opencode' },
  user: [{ path: 'plugins/foreword.js', format: 'own' }],
  project: [{ path: '.opencode/plugins/foreword.js', format: 'own' }],
  content: { kind: 'plug-in', code: PLUG_IN },
  notes: {
    always: [
      'OpenCode installs a package of its own into the folder of its first plug-in; without a network its next start waits about a minute for that, once.',
    ],
  },
};
