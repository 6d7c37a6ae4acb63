import { expect, test } from 'vitest';
import type { Findings } from './doctor.ts';
import { doctorRows } from './doctor-rows.ts';

const FOUND: Findings = {
  store: { kind: 'sqlite', level: 'full', detail: '/state/foreword.db' },
  state: { gone: [] },
  sandbox: 'bubblewrap',
  box: { level: 'bubblewrap 0.8', agents: { one: 'boxed; 1.2.3' } },
  agents: ['one'],
  versions: { one: '1.2.3' },
  hooks: [
    { agent: 'one', state: 'absent', file: '/home/me/.one.json' },
    { agent: 'two', state: 'absent', file: '/home/me/.two.json' },
  ] as unknown as Findings['hooks'],
  plugIns: { plugIns: [], own: '0.2.0' },
  hookNode: undefined,
  hookLog: undefined,
  unshown: [],
  measured: [],
  tmux: '3.3a',
  terminal: 'works',
  absences: [],
  problems: [],
};
const PROJECT = { root: '/shop', config: { agents: {} }, trust: { isAgreed: true, parts: {} } };

test('each fact is a row, and an agent that is not there is left out', () => {
  expect(doctorRows(FOUND, PROJECT)).toEqual([
    ['project', '/shop'],
    ['store', 'sqlite, full: /state/foreword.db'],
    ['sandbox', 'bubblewrap'],
    ['box', 'bubblewrap 0.8'],
    ['terminal', 'works'],
    ['tmux', '3.3a'],
    ['one', '1.2.3'],
    ['box of one', 'boxed; 1.2.3'],
    ['hooks of one', 'absent'],
    ['trust', 'nothing to agree to'],
  ]);
});

test('arguments that the configuration adds to an agent are shown with it', () => {
  const config = { agents: { one: { args: ['--model', 'opus'] } } };
  const rows = doctorRows(FOUND, { root: '/shop', config, trust: { isAgreed: true, parts: {} } });
  expect(rows).toContainEqual(['one', '1.2.3, started with --model opus']);
});

test('a store that is not there yet, no agent, hooks without a Node, and what needs trust are named', () => {
  const hooks = [{ agent: 'one', state: 'current', trust: 'untrusted', file: '/f' }] as unknown as Findings['hooks'];
  const store = { kind: 'memory', level: 'volatile', detail: '' } as const;
  const project = { root: '/shop', config: { agents: {} }, trust: { isAgreed: false, parts: { agents: {} } } };
  expect(doctorRows({ ...FOUND, store, agents: [], hooks, absences: ['No /proc.'] }, project)).toEqual([
    ['project', '/shop'],
    ['store', 'none yet; the first command that stores something creates it in your state folder'],
    ['sandbox', 'bubblewrap'],
    ['box', 'bubblewrap 0.8'],
    ['terminal', 'works'],
    ['tmux', '3.3a'],
    ['not on this system', 'No /proc.'],
    ['agents', 'none installed'],
    ['box of one', 'boxed; 1.2.3'],
    ['hooks of one', 'current, untrusted: /f'],
    ['hooks run with', 'no Node was found: the hooks do nothing'],
    ['trust', 'ignored until you run foreword trust: agents'],
  ]);
});

test('events at which a loss cannot be seen are named, of hooks that are there', () => {
  const unseen = ['sessionStart', 'preToolUse'];
  const rows = (state: string) =>
    doctorRows({ ...FOUND, hooks: [{ agent: 'one', state, file: '/f', unseen }] as never }, PROJECT);
  expect(rows('in place')).toContainEqual([
    'not seen of one',
    'its transcript does not show what hooks print at sessionStart, preToolUse: printed once, also when it is lost',
  ]);
  expect(rows('absent').map(([item]) => item)).not.toContain('not seen of one');
});

test('shows where state lies, by what the project is known, and what projects that are gone left', () => {
  const gone = { id: 'p1', root: '/old/shop', folder: '/state/projects/p1', bytes: 1_234_567 };
  const state = {
    folder: '/state/projects/p0',
    doubt: '/shop/.git names /elsewhere, which does not name it back',
    oldStore: '/shop/.foreword/foreword.db',
    gone: [
      { ...gone, fate: 'missing' },
      { ...gone, fate: 'replaced', bytes: 12 },
      { ...gone, fate: 'not mounted', bytes: 1200 },
      { id: 'p1', fate: 'damaged', folder: gone.folder, bytes: 0 },
    ],
  } as const;
  expect(doctorRows({ ...FOUND, state }, PROJECT).slice(2, 9)).toEqual([
    ['state', '/state/projects/p0'],
    ['identity', 'the folder alone: /shop/.git names /elsewhere, which does not name it back'],
    [
      'old store',
      '/shop/.foreword/foreword.db is not read. If it is yours: foreword import /shop/.foreword/foreword.db',
    ],
    ['state left behind', '/old/shop is gone (p1, 1.2 MB in /state/projects/p1)'],
    ['state left behind', '/old/shop is another project now (p1, 12 bytes in /state/projects/p1)'],
    [
      'state left behind',
      '/old/shop is not there, and its disk seems not to be mounted (p1, 1.2 kB in /state/projects/p1)',
    ],
    ['state left behind', 'project.json is damaged (p1, 0 bytes in /state/projects/p1)'],
  ]);
});
