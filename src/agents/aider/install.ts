// It gets the files themselves, which it sends along with every request. Paths count from where it is started, and a list
// in a project's file replaces the one in the home, so there is no sensible user scope (0.86).

import type { InstallFacts } from '../../kernel/agent-install.ts';

export const install: InstallFacts = {
  title: 'Aider',
  programs: ['aider'],
  user: [],
  project: [{ path: '.aider.conf.yml', format: 'list', key: 'read' }],
  content: { kind: 'context-files', key: 'read', hidden: '.aider.conf.yml' },
  notes: { always: ['Aider reads the files when it is started at the root of the project.'] },
};
