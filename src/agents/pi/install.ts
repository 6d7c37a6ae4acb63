// Seen with 0.87.

import type { InstallFacts } from '../../kernel/agent-install.ts';
import { PLUG_IN } from './plug-in.ts';

export const install: InstallFacts = {
  title: 'pi',
  // Other programs have that name too.
  programs: [],
  folder: { in: 'home', path: '.pi/agent', variable: 'PI_CODING_AGENT_DIR' },
  user: [{ path: 'extensions/foreword.ts', format: 'own' }],
  project: [{ path: '.pi/extensions/foreword.ts', format: 'own' }],
  content: { kind: 'plug-in', code: PLUG_IN },
  notes: { project: ['pi loads .pi/ of a project only after you confirmed that you trust its folder.'] },
};
