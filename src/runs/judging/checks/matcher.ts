// The patterns of file checks: upper and lower case differ, and `^` and `$` are the ends of a line.

import { compilePattern } from '../../../system/patterns/linear.ts';
import type { CheckContext } from './checks.ts';

const FLAGS = '(?m-i)';

/** Compiles each pattern once. Throws for a pattern that is wrong or refused: if it counted as not found, every
 *  `not_file_contains` with it would pass. */
export function checkMatcher(): CheckContext['matches'] {
  const known = new Map<string, ReturnType<typeof compilePattern>>();
  return (pattern, text) => {
    const compiled = known.get(pattern) ?? compilePattern(`${FLAGS}${pattern}`);
    known.set(pattern, compiled);
    if ('fault' in compiled) throw new Error(compiled.fault.replace(FLAGS, ''));
    return compiled.test(text);
  };
}
