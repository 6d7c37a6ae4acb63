// Counts named by the promises run in full with `npm run test:long`, and at a tenth in the everyday run.

export const IS_LONG = process.env.FOREWORD_TEST_LONG === '1';

export function scaled(full: number): number {
  return IS_LONG ? full : Math.max(1, Math.ceil(full / 10));
}
