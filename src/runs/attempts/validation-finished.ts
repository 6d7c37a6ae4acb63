// The event that says how an attempt was judged. Pure.

import type { NewEvent } from '../../kernel/events.ts';
import { type Verdict, validationErrors } from '../../kernel/verdict.ts';
import { isConflict } from '../task-machine.ts';

export function validationFinished(
  verdict: Verdict,
  of: { readonly task: string; readonly attempt: number },
): NewEvent {
  const count = (outcome: string) => verdict.results.filter((result) => result.outcome === outcome).length;
  const isMerge = isConflict({ verdict });
  const [firstError] = verdict.outcome === 'failed' && !isMerge ? validationErrors(verdict) : [];
  return {
    kind: 'validation-finished',
    ...of,
    outcome: verdict.outcome,
    failed: count('failed'),
    notRun: count('not-run'),
    ...(firstError === undefined ? {} : { firstError }),
    ...(isMerge ? { isConflict: true } : {}),
  };
}
