import { expect, test } from 'vitest';
import type { Findings } from './doctor.ts';
import { doctorRows } from './doctor-rows.ts';

const FOUND: Findings = {
  store: { kind: 'sqlite', level: 'full', detail: '.foreword/foreword.db' },
  sandbox: 'bubblewrap',
  agents: ['one'],
  versions: { one: '1.2.3' },
  hooks: [
    { agent: 'one', state: 'absent', file: '/home/me/.one.json' },
    { agent: 'two', state: 'absent', file: '/home/me/.two.json' },
  ] as unknown as Findings['hooks'],
  hookNode: undefined,
  measured: [],
  tmux: '3.3a',
  terminal: 'works',
  absences: [],
  problems: [],
};
const PROJECT = { root: '/shop', trust: { isAgreed: true, parts: {} } };

test('each fact is a row, and an agent that is not there is left out', () => {
  expect(doctorRows(FOUND, PROJECT)).toEqual([
    ['project', '/shop'],
    ['store', 'sqlite, full: .foreword/foreword.db'],
    ['sandbox', 'bubblewrap'],
    ['terminal', 'works'],
    ['tmux', '3.3a'],
    ['one', '1.2.3'],
    ['hooks of one', 'absent'],
    ['trust', 'nothing to agree to'],
  ]);
});

test('a store that is not there yet, no agent, hooks without a Node, and what needs trust are named', () => {
  const hooks = [{ agent: 'one', state: 'current', trust: 'untrusted', file: '/f' }] as unknown as Findings['hooks'];
  const store = { kind: 'memory', level: 'volatile', detail: '' } as const;
  const project = { root: '/shop', trust: { isAgreed: false, parts: { agents: {} } } };
  expect(doctorRows({ ...FOUND, store, agents: [], hooks, absences: ['No /proc.'] }, project)).toEqual([
    ['project', '/shop'],
    ['store', 'none yet; the first command that stores something creates .foreword/foreword.db'],
    ['sandbox', 'bubblewrap'],
    ['terminal', 'works'],
    ['tmux', '3.3a'],
    ['not on this system', 'No /proc.'],
    ['agents', 'none installed'],
    ['hooks of one', 'current, untrusted: /f'],
    ['node of hooks', 'not found: the hooks do nothing'],
    ['trust', 'ignored until you run foreword trust: agents'],
  ]);
});
