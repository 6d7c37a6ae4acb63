import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { ForewordError, isForewordError, ours } from './errors.ts';

const thrown = async (call: () => unknown): Promise<unknown> => {
  try {
    return await call();
  } catch (error) {
    return error;
  }
};

test('what a function of the library did not expect is an error of ours, with the first one as its cause', async () => {
  const first = new TypeError('x is not a function');
  const sync = ours(() => {
    throw first;
  });
  const late = ours(async () => Promise.reject(first));
  for (const error of [await thrown(sync), await thrown(late)]) {
    expect(isForewordError(error)).toBe(true);
    expect(error).toMatchObject({ code: 'internal', message: 'x is not a function', cause: first });
  }
});

test('an error of ours passes as it is, and a full disk has its code', async () => {
  const own = new ForewordError('bad-usage', 'wrong');
  expect(await thrown(ours(async () => Promise.reject(own)))).toBe(own);
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  expect(await thrown(ours(() => Promise.reject(full)))).toMatchObject({ code: 'disk-full', cause: full });
  expect(ours((a: number, b: number) => a + b)(1, 2)).toBe(3);
});

test('an error is printed under its own name', () => {
  expect(ForewordError.name).toBe('ForewordError');
  expect(inspect(new ForewordError('internal', 'x')).split('\n')[0]).toBe('ForewordError: x');
});
