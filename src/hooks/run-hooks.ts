// What a run needs of the hooks, handed to it by app/run.ts.

import { attemptRecords } from './attempt-records.ts';
import { runRules } from './run-rules.ts';

export const runHooks = { hookRecords: attemptRecords, rules: runRules };
