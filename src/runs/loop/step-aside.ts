// Agents are out for hours while another task could be worked on by others: tasks that somebody can work on come first, and
// one that would wait steps aside for them. So does a task whose work is done while nobody is there to look at it. Only tasks that
// name their agents, or wait for a look, differ in this; without any, nothing is read.

import type { Task } from '../../kernel/task.ts';
import { readBreakers } from '../breakers.ts';
import { chooseAgent } from '../lineup.ts';
import type { RunPorts, RunSettings } from '../ports.ts';

export interface TaskTurns {
  /** Tasks that an agent can work on now before those that would wait; otherwise in their order. */
  order(tasks: readonly Task[]): Promise<readonly Task[]>;
  /** Whether one of the others can be worked on now. True once for a task, until another one is over: a task must not be opened
   *  again and again. `lookedAt`: its work is done, and a helper or reviewer of it is back at that time. */
  mayStepAside(task: Task, others: readonly Task[], lookedAt?: number): Promise<boolean>;
  /** Work on the task ended. It is over unless it stepped aside. */
  ended(task: Task): void;
}

export function openTaskTurns(ports: RunPorts, settings: RunSettings, tasks: readonly Task[]): TaskTurns {
  const differ = tasks.some(({ agents }) => agents !== undefined && agents.length > 0);
  const aside = new Set<string>();
  const justNow = new Set<string>();
  /** By task, when somebody is back to look at its work. */
  const looked = new Map<string, number>();
  const waitsForLook = ({ task_id }: Task) => (looked.get(task_id) ?? 0) > ports.clock.now();
  const workable = async (): Promise<(task: Task) => boolean> => {
    const breakers = await readBreakers(ports);
    const { lineup, installed } = settings;
    const now = ports.clock.now();
    return ({ agents }) => chooseAgent({ lineup, taskAgents: agents, breakers, installed, now }).kind !== 'wait';
  };
  return {
    order: async (given) => {
      if ((!differ && looked.size === 0) || given.length < 2) return given;
      const isWorkable = await workable();
      const isFirst = (task: Task) => isWorkable(task) && !waitsForLook(task);
      return [...given.filter(isFirst), ...given.filter((task) => !isFirst(task))];
    },
    mayStepAside: async (task, others, lookedAt) => {
      const left = others.filter((other) => !waitsForLook(other));
      // Whoever looks may be away again when that time has come: once for each such time.
      const hasStepped = aside.has(task.task_id) && (lookedAt === undefined || waitsForLook(task));
      if ((!differ && lookedAt === undefined) || left.length === 0 || hasStepped) return false;
      if (!left.some(await workable())) return false;
      aside.add(task.task_id);
      justNow.add(task.task_id);
      if (lookedAt !== undefined) looked.set(task.task_id, lookedAt);
      return true;
    },
    ended: ({ task_id }) => {
      if (!justNow.delete(task_id)) aside.clear();
    },
  };
}
