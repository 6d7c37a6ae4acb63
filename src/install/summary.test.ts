import { expect, test } from 'vitest';
import { installSummary, uninstallSummary } from './summary.ts';

const FACTS = {
  changes: [
    { agent: 'claude', kind: 'edit', file: '/home/me/.claude/settings.json', entries: 7 },
    { kind: 'create', file: '/home/me/shop/.foreword/tasks.yaml' },
    { kind: 'create', file: '/home/me/shop/.foreword/.gitignore' },
    { kind: 'create', file: '/home/me/shop/.foreword/notes/README.md' },
  ],
  inPlace: ['codex'],
  scope: 'user',
  lineup: [],
  titleOf: (agent: string) => agent.toUpperCase(),
  shortened: (path: string) => path.replace('/home/me', '~'),
} as const;

test('init and uninstall are summed up in a few lines, with files that begin with a dot by their whole name', () => {
  const texts = (lines: ReturnType<typeof installSummary>) => lines.map(({ word, text }) => `${word}: ${text}`);
  expect(texts(installSummary(FACTS))).toEqual([
    'hooks: 7: CLAUDE 7, CODEX has them; in projects with .foreword/ or .context/',
    'files: ~/.claude/settings.json',
    'project: ~/shop/.foreword/: tasks, .gitignore, notes',
    'undo: foreword uninstall gives every file its old bytes back',
  ]);
  expect(texts(uninstallSummary(FACTS))).toEqual([
    'hooks: removed from CLAUDE',
    'files: ~/.claude/settings.json',
    'project: ~/shop/.foreword/: tasks, .gitignore, notes, as init created them: deleted',
  ]);
});
