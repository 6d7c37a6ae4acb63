import { expect, test } from 'vitest';
import { compareBeside, comparePrints, type Observation } from './observation.ts';
import { compareShared, type SharedEntry } from './shared-manifest.ts';

test('prints are compared by path', () => {
  expect(comparePrints({ a: '1', b: '1', c: '1' }, { b: '1', c: '2', d: '1', toString: '1' })).toEqual({
    created: ['d', 'toString'],
    updated: ['c'],
    deleted: ['a'],
  });
});

test('a file that an agent makes in every git directory is no change of it', () => {
  const none = { tree: 't', ignored: {}, submodules: {}, repositories: [], shared: {}, unreadable: [] };
  const before: Observation = { ...none, gitDirectory: { config: '1' } };
  const after: Observation = { ...none, gitDirectory: { config: '2', opencode: '1', 'info/attributes': '1' } };
  expect(compareBeside(before, after, ['opencode']).config).toEqual(['config', 'info/attributes']);
  expect(compareBeside(before, after).config).toEqual(['config', 'info/attributes', 'opencode']);
});

test('a manifest shows what changed, went and came', () => {
  const file = (copy: string): SharedEntry => ({ kind: 'file', copy, detail: '644' });
  const kept = new Map([
    ['a', file('1')],
    ['b', file('1')],
    ['c', file('1')],
  ]);
  const now = new Map<string, SharedEntry>([
    ['a', file('1')],
    ['b', { kind: 'link', copy: '', detail: '/etc' }],
    ['d', file('1')],
  ]);
  expect(compareShared(kept, now)).toEqual({ changed: ['b'], removed: ['c'], added: ['d'] });
});
