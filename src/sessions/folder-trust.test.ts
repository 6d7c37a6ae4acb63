import { expect, test } from 'vitest';
import type { TrustSigns } from '../kernel/agent.ts';
import { isFolderTrusted } from './folder-trust.ts';

const SIGNS: TrustSigns = {
  args: ['--trusted'],
  variables: { MINE_TRUSTS: 'true' },
  files: [
    { path: '.mine/settings.json', at: ['ask', 'trust'], is: [false] },
    { path: '.mine/folders.json', at: ['{folder}'], is: ['YES'] },
  ],
  homeVariable: 'MINE_HOME',
};
const trusted = (given: {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, unknown>>;
}) =>
  isFolderTrusted(SIGNS, {
    folder: '/home/me/shop',
    args: given.args ?? [],
    env: { HOME: '/home/me', ...given.env },
    readJson: (path) => given.files?.[path],
  });

test('a folder is trusted by an argument, a variable, a setting, or a list of folders', () => {
  expect(trusted({ args: ['--trusted'] })).toBe(true);
  expect(trusted({ env: { MINE_TRUSTS: 'true' } })).toBe(true);
  expect(trusted({ files: { '/home/me/.mine/settings.json': { ask: { trust: false } } } })).toBe(true);
  expect(trusted({ files: { '/home/me/.mine/folders.json': { '/home/me/shop': 'YES' } } })).toBe(true);
  expect(trusted({ files: { '/home/me/.mine/folders.json': { '/home': 'YES' } } })).toBe(true);
  expect(
    trusted({ env: { MINE_HOME: '/other' }, files: { '/other/.mine/folders.json': { '/home/me/shop': 'YES' } } }),
  ).toBe(true);
});

test('nothing else says so', () => {
  expect(trusted({})).toBe(false);
  expect(trusted({ args: ['--', '--trusted'] })).toBe(false);
  expect(trusted({ env: { MINE_TRUSTS: 'maybe' } })).toBe(false);
  expect(trusted({ files: { '/home/me/.mine/settings.json': { ask: { trust: true } } } })).toBe(false);
  expect(trusted({ files: { '/home/me/.mine/settings.json': ['no', 'map'] } })).toBe(false);
  // The nearest one counts, and a folder beside it is another one.
  expect(trusted({ files: { '/home/me/.mine/folders.json': { '/home': 'YES', '/home/me': 'NO' } } })).toBe(false);
  expect(trusted({ files: { '/home/me/.mine/folders.json': { '/home/me/sho': 'YES' } } })).toBe(false);
  expect(trusted({ env: { HOME: '' }, files: { '.mine/folders.json': { '/home/me/shop': 'YES' } } })).toBe(false);
  expect(isFolderTrusted(undefined, { folder: '/x', args: [], env: {}, readJson: () => undefined })).toBe(false);
});
