// Where and how the checks of one task run.

import { childEnvironment } from '../../system/processes/environment.ts';
import type { TaskRun } from '../attempts/task-run.ts';
import type { CheckContext } from './checks/checks.ts';
import { checkMatcher } from './checks/matcher.ts';

/** Patterns of checks, each compiled once. */
const MATCHES = checkMatcher();

export function checkContext({
  ports,
  settings,
  workplace,
}: Pick<TaskRun, 'ports' | 'settings' | 'workplace'>): CheckContext {
  return {
    cwd: workplace.cwd,
    run: ports.startProcess,
    env: childEnvironment({ base: ports.variables, names: [] }),
    timeoutMs: settings.judging.checkTimeoutMs,
    matches: MATCHES,
    redact: (text) => ports.redact(text),
  };
}
