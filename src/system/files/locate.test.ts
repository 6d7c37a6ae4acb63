import { expect, test } from 'vitest';
import { locate } from './locate.ts';

test('a path is seen from the folder, and a URL stays as it is', () => {
  expect(['a.db', '../a.db', '/a.db', 'redis://a/1', 'rediss://b', 'c:d.db'].map((one) => locate(one, '/p/q'))).toEqual(
    ['/p/q/a.db', '/p/a.db', '/a.db', 'redis://a/1', 'rediss://b', '/p/q/c:d.db'],
  );
});
