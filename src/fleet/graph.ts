// The dependencies of tasks: a graph, held in the store's records. A task is released by the record of the last task that it waited
// for, in the very write that completes that one; here is only which tasks to look at then.

import type { Task } from '../kernel/task.ts';

export interface TaskGraph {
  /** The tasks that wait for this one directly, in the order of the file. */
  dependents(task: string): readonly string[];
  /** Everything that waits for it, in any number of steps. */
  below(task: string): readonly string[];
}

export function taskGraph(tasks: readonly Pick<Task, 'task_id' | 'depends_on'>[]): TaskGraph {
  const after = new Map<string, string[]>();
  for (const { task_id, depends_on } of tasks)
    for (const id of new Set(depends_on)) after.set(id, [...(after.get(id) ?? []), task_id]);
  const dependents = (task: string) => after.get(task) ?? [];
  return {
    dependents,
    below: (task) => {
      const found = new Set<string>();
      for (let next = [task]; next.length > 0; ) {
        const step = next.flatMap(dependents).filter((id) => !found.has(id));
        for (const id of step) found.add(id);
        next = [...new Set(step)];
      }
      return [...found];
    },
  };
}

/** Of the tasks that waited for `completed`, those that wait for nothing else. */
export function releasedBy(
  graph: TaskGraph,
  completed: string,
  known: { isCompleted(task: string): boolean; dependsOn(task: string): readonly string[] },
): readonly string[] {
  const isDone = (id: string) => id === completed || known.isCompleted(id);
  return graph.dependents(completed).filter((id) => known.dependsOn(id).every(isDone));
}
