// Counts named by the promises run in full with `npm run test:long`, and at a tenth in the everyday run.

export const IS_LONG = process.env.FOREWORD_TEST_LONG === '1';

/** Programs of others in real time fail a test now and then; where a landing depends on it, each has a second try, and what
 *  needed it is named. */
export const RETRIES = process.env.FOREWORD_TEST_SECOND_TRY === '1' ? 1 : 0;

export function scaled(full: number): number {
  return IS_LONG ? full : Math.max(1, Math.ceil(full / 10));
}
