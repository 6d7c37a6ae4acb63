// What `npm run agents:update` decides by itself: which version is later, what is written into the list of pinned
// versions, and what it calls a change.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isNewer, looksSame, matrixChanges, withVersion } from '../scripts/lab/pins.mjs';
import { LABS } from '../src/agents/labs.ts';

const root = join(import.meta.dirname, '..');
const PINNED = ['scripts/lab/node24.json', ...Object.keys(LABS).map((name) => `src/agents/${name}/lab.ts`)];

test.each([
  ['2.1.10', '2.1.9', true],
  ['0.9.0', '0.10.0', false],
  ['1.0.0', '1.0.0', false],
  ['1.0.0', '1.0.0-beta.2', true],
  ['1.0.0-beta.2', '1.0.0', false],
  ['next', '1.0.0', false],
  ['1.0', '0.1.0', false],
])('%s is later than %s: %s', (version, than, expected) => {
  expect(isNewer(version, than)).toBe(expected);
});

test.each(PINNED)('another version is all that changes in %s', (file) => {
  const text = readFileSync(join(root, file), 'utf8');
  const changed = withVersion(text, '99.8.7');
  const [before, after] = [text, changed].map((one) => one.split('\n'));
  const differing = after?.filter((line, index) => line !== before?.[index]) ?? [];
  expect(after).toHaveLength(before?.length ?? 0);
  expect(differing).toEqual([expect.stringMatching(/^ *"?version"?: ['"]99\.8\.7['"],$/)]);
  const [, version = ''] = /version"?: ['"]([^'"]+)/.exec(text) ?? [];
  expect(withVersion(changed, version)).toBe(text);
});

test('a file with two versions, or none, is left alone', () => {
  expect(() => withVersion("version: '1.0.0'\nversion: '1.0.0'\n", '2.0.0')).toThrow('exactly one');
  expect(() => withVersion('nothing', '2.0.0')).toThrow('exactly one');
});

test('only what arrives otherwise is a change, and how long it took is not', () => {
  const look = (arrivals: Record<string, Record<string, unknown>>) => ({ agents: [{ agent: 'claude', arrivals }] });
  const before = look({ hook: { kind: 'served', ms: 100 }, typed: { kind: 'served', ms: 5 } });
  const after = look({
    hook: { kind: 'served', ms: 900 },
    typed: { kind: 'truncated', at: 2048 },
    flag: { kind: 'served', ms: 1 },
  });
  expect(matrixChanges(before, after)).toEqual([
    'claude, typed: served before, truncated (2048) now',
    'claude, flag: not tried before, served now',
  ]);
  expect(matrixChanges(before, before)).toEqual([]);
});

test.each([
  ['⠋ Working (1s • esc)', '⠹ Working (12s • esc)', true],
  ['Worked for 1s • 17:57', 'Worked for 3s • 02:01', true],
  ['Trust this folder?', 'Do you trust this folder?', false],
  ['› 1. Yes', '  1. Yes', false],
])('%j and %j look the same: %s', (before, after, expected) => {
  expect(looksSame(before, after)).toBe(expected);
});
