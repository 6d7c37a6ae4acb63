import { expect, test } from 'vitest';
import { plugInProblems, plugInRows } from './plug-in-rows.ts';

const one = { agent: 'one', title: 'One', version: '0.2.0', isEnabled: true, cure: 'one plugin install' };

test('each plug-in is a row: its version against this one, and whether hooks of init are there too', () => {
  const plugIns = [one, { ...one, agent: 'two', version: '0.1.0' }, { ...one, agent: 'three', isEnabled: false }];
  expect(plugInRows({ plugIns, own: '0.2.0' }, new Set(['one']))).toEqual([
    ['plug-in of one', 'installed, 0.2.0, as this one; hooks of foreword init are there too, everything is said once'],
    ['plug-in of two', 'installed, 0.1.0, this is 0.2.0'],
    ['plug-in of three', 'installed, switched off, 0.2.0, as this one'],
  ]);
  const { version: _, ...unknown } = one;
  expect(plugInRows({ plugIns: [unknown], own: '0.2.0' }, new Set())[0]?.[1]).toBe('installed, version unknown');
});

test.each([
  ['20.20.1', 1],
  ['22.12.9', 1],
  ['22.13.0', 0],
  ['24.0.0', 0],
])('with Node %s a missing store is %i problem', (node, count) => {
  const problems = plugInProblems({ plugIns: [one], node, own: '0.2.0' });
  expect(problems).toHaveLength(count);
  for (const problem of problems) expect(problem).toContain('Put Node 22.13 or newer first on the PATH');
  expect(plugInProblems({ plugIns: [{ ...one, isEnabled: false }], node, own: '0.2.0' })).toEqual([]);
});

test('another version is a problem with the words that cure it', () => {
  expect(plugInProblems({ plugIns: [{ ...one, version: '0.1.0' }], own: '0.2.0' })).toEqual([
    'The plug-in of One is 0.1.0, this is 0.2.0. Install it again from dist/plugins of this version (PLUGINS): one plugin install.',
  ]);
});
