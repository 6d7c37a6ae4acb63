// What the everyday run leaves to the long run (`npm run test:long`): near relatives of tests that it has. They are not made at
// all there, so that the list of skipped tests names only what a machine cannot run.

import { test } from 'vitest';
import { IS_LONG } from './scale.ts';

/** A test of the long run alone. */
export function longTest(title: string, work: () => void | Promise<void>, timeoutMs?: number): void {
  if (IS_LONG) test(title, work, timeoutMs);
}

/** The rows of a table: all of them in the long run, else those at these places. */
export function everydayRows<T>(rows: readonly T[], ...places: readonly number[]): readonly T[] {
  return IS_LONG ? rows : rows.filter((_, at) => places.includes(at));
}
