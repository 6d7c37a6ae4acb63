import { compilePattern } from '../system/patterns/linear.ts';

/** Why a pattern cannot be used; `undefined` when it can. */
export function patternFault(pattern: string): string | undefined {
  const compiled = compilePattern(pattern);
  return 'fault' in compiled ? compiled.fault : undefined;
}
