// Seen with 0.61.0.

import { type EntryShape, HOOK_TIMEOUT_S } from '../../kernel/agent-hooks.ts';
import type { InstallFacts } from '../../kernel/agent-install.ts';

/** In milliseconds. */
const ENTRY: EntryShape = {
  hooks: [{ type: 'command', name: 'foreword', command: '{line}', timeout: HOOK_TIMEOUT_S * 1000 }],
};

export const install: InstallFacts = {
  title: 'Gemini CLI',
  programs: ['gemini'],
  folder: { in: 'home', path: '.gemini', homeVariable: 'GEMINI_CLI_HOME' },
  user: [{ path: 'settings.json', format: 'json' }],
  project: [{ path: '.gemini/settings.json', format: 'json' }],
  content: {
    kind: 'entries',
    // PreCompress comes before every request, whether anything is compressed or not: only that of a person's /compress is
    // used.
    entry: (event) => (event === 'pre-compact' ? { matcher: 'manual', ...ENTRY } : ENTRY),
  },
  switchedOff: {
    file: 'settings.json',
    at: ['hooksConfig', 'enabled'],
    is: false,
    project: ['.gemini/settings.json'],
    system: ['/etc/gemini-cli/settings.json', '/Library/Application Support/GeminiCli/settings.json'],
  },
  retired:
    'Google has not served Gemini CLI to free, Pro and Ultra accounts since 2026-06-18; enterprise accounts keep it. Its successor is Antigravity CLI (agy).',
  announces: 'warns everybody once about new hooks of a project',
  notes: {
    project: ['Gemini CLI runs hooks of a project only in a folder that you trust; it warns once about new ones.'],
  },
};
