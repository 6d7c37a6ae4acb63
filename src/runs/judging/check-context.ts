// Where and how the checks of one task run: in a box, where the run has one, since they run what agents wrote.

import { childEnvironment } from '../../system/processes/environment.ts';
import { roomFor } from '../attempts/room.ts';
import type { TaskRun } from '../attempts/task-run.ts';
import type { CheckContext } from './checks/checks.ts';
import { checkMatcher } from './checks/matcher.ts';

/** Patterns of checks, each compiled once. */
const MATCHES = checkMatcher();

export function checkContext({
  ports,
  settings,
  task,
  workplace,
}: Pick<TaskRun, 'ports' | 'settings' | 'task' | 'workplace'>): CheckContext {
  return {
    cwd: workplace.cwd,
    run: async (request, signal) => {
      const room = await roomFor(ports, undefined, workplace);
      return (await room.run(request, {}, signal)).end;
    },
    env: childEnvironment({ base: ports.variables, names: [] }),
    timeoutMs: settings.judging.checkTimeoutMs,
    matches: MATCHES,
    redact: (text) => ports.redact(text),
    // A check may take longer than the agent: whoever watches sees which one.
    begin: ({ text }) => ports.show?.({ task: task.task_id, phase: 'checking', lastLine: () => ports.redact(text) }),
  };
}
