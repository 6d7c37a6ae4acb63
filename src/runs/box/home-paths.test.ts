import { expect, test } from 'vitest';
import { homePath } from './home-paths.ts';

const box = { homes: { MINE_HOME: '~/.mine' } };
const at = (text: string, variables = {}) => homePath(text, box, { home: '/home/me', variables })?.path;

test('paths of the home and of folders that variables move', () => {
  expect(at('~/.cache/mine')).toBe('/home/me/.cache/mine');
  expect(at('$MINE_HOME/hooks/')).toBe('/home/me/.mine/hooks');
  expect(at('$MINE_HOME', { MINE_HOME: '/data/mine/' })).toBe('/data/mine');
  expect(at('$MINE_HOME', { MINE_HOME: 'relative' })).toBe('/home/me/.mine');
  expect(homePath('~/x/', box, { home: '/home/me', variables: {} })?.isFolder).toBe(true);
});

test('the home itself, other variables and ways out are not shown', () => {
  expect(['~', '~/', '~/../other', '$HOME/.ssh', '/etc', 'x', '$MINE_HOME/../..'].map((text) => at(text))).toEqual(
    Array.from({ length: 7 }, () => undefined),
  );
});
