// Validation: criteria decided by checks, and what had failed before the first attempt. Policy: runs/judging/policy-check.ts.

export { type Baseline, markInherited, takeBaseline } from './baseline.ts';
export { type CheckContext, runCheck, runChecks } from './checks.ts';
export { checkMatcher } from './matcher.ts';
