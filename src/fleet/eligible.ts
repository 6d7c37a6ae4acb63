// Which tasks a worker can do: it has one of the agents that the task names, or any agent where the task names none.

import type { Task } from '../kernel/task.ts';

export function canDo(agents: readonly string[], task: Pick<Task, 'agents'>): boolean {
  const wanted = task.agents ?? [];
  return wanted.length === 0 ? agents.length > 0 : wanted.some((name) => agents.includes(name));
}
