// Seen with 0.166.0.

import type { InstallFacts } from '../../kernel/agent-install.ts';
import { entryAt } from './hooks.ts';
import { hooksOfServer } from './hooks-of-server.ts';
import { isTrusted } from './trust.ts';

export const install: InstallFacts = {
  title: 'Codex',
  programs: ['codex'],
  folder: { in: 'home', path: '.codex', variable: 'CODEX_HOME' },
  user: [
    { path: 'hooks.json', format: 'json' },
    { path: 'config.toml', format: 'toml' },
  ],
  project: [
    { path: '.codex/hooks.json', format: 'json' },
    { path: '.codex/config.toml', format: 'toml' },
  ],
  // Both forms in one folder make it warn at every start, so ours go where the person keeps theirs (unless as lists in one
  // value, to which nothing can be added).
  takes: 'where-hooks-are',
  // Last in each list: it knows a trusted hook by its position, and hooks run side by side, so nothing is gained by being first.
  content: { kind: 'entries', entry: entryAt, place: 'last' },
  switchedOff: { file: 'config.toml', at: ['features', 'hooks'], is: false, project: ['.codex/config.toml'] },
  notes: {
    always: [
      'Codex runs a new hook only after a person reviewed it. At its next start in a terminal it shows "Hooks need review" and that {count} hooks are new or changed. Choose "Review hooks": each must run {program} and nothing else. Or choose "Trust all and continue". Until then they do not run, and codex exec skips them without a message.',
    ],
    project: ['Codex reads .codex/ of a project only in a folder that you trust.'],
  },
  announces: 'asks everybody once, in a terminal, to review the hooks of a project that they trust',
  trust: {
    file: 'config.toml',
    cure: 'Start codex in a terminal and agree to the hooks when it shows "Hooks need review".',
    isTrusted,
    ask: hooksOfServer,
  },
};
