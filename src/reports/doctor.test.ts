import { expect, test } from 'vitest';
import { type ExaminedMachine, findingsOf, type HookFinding } from './doctor.ts';

const HOOKS: HookFinding = { agent: 'claude', title: 'Claude Code', file: '/home/x/settings.json', state: 'in place' };
const FINE: ExaminedMachine = {
  lineup: ['codex', 'claude'],
  installed: new Set(['qwen', 'claude']),
  versions: { claude: '2.1.325', qwen: 'unknown' },
  store: { kind: 'sqlite', level: 'full', detail: 'a file' },
  state: { gone: [] },
  sandbox: { kind: 'ready', sandbox: { level: 'bubblewrap 0.9', run: async () => [] } },
  box: { level: 'bubblewrap 0.9', agents: {} },
  hooks: [HOOKS],
  plugIns: { plugIns: [], own: '0.2.0' },
  hookNode: '/usr/bin/node',
  measured: [],
  tmux: 'tmux 3.4',
  terminal: 'works',
  absences: [],
  hookLog: undefined,
  unshown: [],
};
const problems = (more: Partial<ExaminedMachine>) => findingsOf({ ...FINE, ...more }).problems;

test('a machine that has everything has no problem', () => {
  expect(findingsOf(FINE)).toEqual({
    store: { kind: 'sqlite', level: 'full', detail: 'a file' },
    state: { gone: [] },
    sandbox: 'bubblewrap 0.9',
    box: { level: 'bubblewrap 0.9', agents: {} },
    agents: ['claude', 'qwen'],
    versions: { claude: '2.1.325', qwen: 'unknown' },
    hooks: [HOOKS],
    plugIns: { plugIns: [], own: '0.2.0' },
    hookNode: '/usr/bin/node',
    hookLog: undefined,
    unshown: [],
    measured: [],
    tmux: 'tmux 3.4',
    terminal: 'works',
    absences: [],
    problems: [],
  });
});

test('what the system lacks is reported and is no problem', () => {
  const absences = ['There are no namespaces.'];
  expect(findingsOf({ ...FINE, absences })).toEqual({ ...findingsOf(FINE), absences });
});

test('a lineup without an installed agent is a problem, whatever else is installed', () => {
  expect(problems({ installed: new Set(['qwen']) })).toEqual([
    'No agent of the lineup (codex, claude) is installed. Install one, or set lineup.',
  ]);
});

test('a missing sandbox is reported with its reason, and its hint is the cure', () => {
  const found = findingsOf({ ...FINE, sandbox: { kind: 'missing', reason: 'no bwrap', hint: 'Install bubblewrap.' } });
  expect(found.sandbox).toBe('none: no bwrap');
  expect(found.problems).toEqual(['Criteria without a check cannot be verified. Install bubblewrap.']);
});

test('a store that cannot be opened is unknown, and its error is the problem', () => {
  const found = findingsOf({ ...FINE, store: { problem: 'No server at redis://x. Start it.' } });
  expect(found.store).toEqual({ kind: 'unknown', level: 'unknown', detail: 'No server at redis://x. Start it.' });
  expect(found.problems).toEqual(['No server at redis://x. Start it.']);
});

test('hooks without a Node are a problem only where hooks are installed', () => {
  expect(problems({ hookNode: undefined })).toHaveLength(1);
  expect(problems({ hookNode: undefined, hooks: [{ ...HOOKS, state: 'absent' }] })).toEqual([]);
});

test('hooks that do not match are named with what is wrong and the cure', () => {
  const cure = 'foreword init --agents claude';
  const stale = { ...HOOKS, state: 'stale', detail: 'they run a foreword installed elsewhere', cure } as const;
  expect(problems({ hooks: [stale, { ...HOOKS, state: 'unreadable' }] })).toEqual([
    'Hooks of Claude Code (/home/x/settings.json): they run a foreword installed elsewhere. foreword init --agents claude',
    'Hooks of Claude Code (/home/x/settings.json): unreadable.',
  ]);
});

test('hooks that wait for the person to trust them are named', () => {
  expect(problems({ hooks: [{ ...HOOKS, trust: 'waits for review' }] })).toEqual([
    'Claude Code does not run our hooks yet: it asks you to trust them the next time it starts.',
  ]);
});
