// What only a person can go on with, by cause: a failure comes once, with the tasks it holds back; tasks that ended for the same
// reason are one entry. What holds back most comes first.

import { type SeenTask, taskCommands, taskReason } from '../task-view.ts';

export interface PersonNeed {
  readonly what: 'failed' | 'blocked' | 'needs-review' | 'supervisor-gone';
  readonly why: string;
  readonly tasks: readonly string[];
  /** Tasks that cannot begin before. */
  readonly holdsBack: readonly string[];
  /** In the order in which a person needs them. */
  readonly commands: readonly string[];
}

/** `tasks` are those of the run, in the order of the file. */
export function needsOf(tasks: readonly SeenTask[]): readonly PersonNeed[] {
  const causes = findCauses(tasks);
  const groups = new Map<string, SeenTask[]>();
  for (const seen of tasks) {
    const what = kindOf(seen);
    if (what === undefined || causes.get(seen.task.task_id)?.size !== 0) continue;
    // Times and counts differ from task to task.
    const key = `${what} ${whyText(seen).replace(/\d+/g, '#')}`;
    groups.set(key, [...(groups.get(key) ?? []), seen]);
  }
  const needs = [...groups.values()].map((group): PersonNeed => {
    const ids = group.map(({ task }) => task.task_id);
    return {
      what: kindOf(group[0] as SeenTask) ?? 'failed',
      why: whyText(group[0] as SeenTask),
      tasks: ids,
      holdsBack: tasks.flatMap(({ task: { task_id } }) => {
        const of = causes.get(task_id);
        return ids.some((id) => of?.has(id)) ? [task_id] : [];
      }),
      commands: [...new Set(group.flatMap(taskCommands))],
    };
  });
  return needs.sort((one, other) => other.holdsBack.length - one.holdsBack.length);
}

function kindOf({ task: { status }, supervisor }: SeenTask): PersonNeed['what'] | undefined {
  if (status === 'running') return supervisor?.state === 'gone' ? 'supervisor-gone' : undefined;
  return status === 'failed' || status === 'blocked' || status === 'needs-review' ? status : undefined;
}

function whyText(seen: SeenTask): string {
  if (seen.task.status === 'running') return `its supervisor (pid ${seen.supervisor?.pid ?? 0}) is gone`;
  return taskReason(seen.task) ?? seen.task.intent;
}

/** By task, the tasks that it waits for in the end: those that need a person and wait for no other. Only a task that cannot begin
 *  has some. */
function findCauses(tasks: readonly SeenTask[]): ReadonlyMap<string, ReadonlySet<string>> {
  const byId = new Map(tasks.map((seen) => [seen.task.task_id, seen]));
  const found = new Map<string, Set<string>>();
  const causesOf = (id: string): ReadonlySet<string> => {
    const known = found.get(id);
    if (known !== undefined) return known;
    const causes = new Set<string>();
    // Before its dependencies are looked at: imported records may have a circle.
    found.set(id, causes);
    const record = byId.get(id)?.task;
    if (record?.status !== 'blocked' && record?.status !== 'queued') return causes;
    for (const before of record.task?.depends_on ?? []) {
      const seen = byId.get(before);
      const deeper = causesOf(before);
      if (deeper.size > 0) for (const cause of deeper) causes.add(cause);
      else if (seen !== undefined && kindOf(seen) !== undefined && before !== id) causes.add(before);
    }
    return causes;
  };
  for (const id of byId.keys()) causesOf(id);
  return found;
}
