// The end of a run with `run.merge: auto`.

import type { Project } from '../app/project.ts';
import { isForewordError } from '../kernel/errors.ts';
import { nameSome } from '../kernel/name-some.ts';
import type { Task } from '../kernel/task.ts';
import type { RunEnd } from '../runs/run-options.ts';
import type { Call } from './command.ts';
import { mergeRun } from './merge-run.ts';

/** What `foreword merge` does, when every task of the file is completed. False when it was refused, or git ended with an error. */
export async function mergeAtEnd(
  call: Call,
  project: Project,
  { tasks, end }: { readonly tasks: readonly Task[]; readonly end: RunEnd },
): Promise<boolean> {
  if (end.commits === 0) return true;
  const wanted = new Set(tasks.map(({ task_id }) => task_id));
  const records = await (await project.readStores()).tasks.list();
  const open = records.filter(
    ({ task_id, run, status }) =>
      status !== 'completed' && (wanted.has(task_id) || (run !== undefined && end.branch.endsWith(`/${run}`))),
  );
  const missing = [...wanted].filter((id) => !records.some(({ task_id }) => task_id === id));
  const names = [
    ...open.map(({ task_id, status }) => `${task_id} is ${status}`),
    ...missing.map((id) => `${id} is new`),
  ];
  if (names.length > 0) {
    call.out.note(`foreword: not merged (run.merge: auto), since ${nameSome(names)}.`);
    return true;
  }
  try {
    const { event, text } = await mergeRun(call, project, { run: end.branch, isSquash: false });
    if (call.has('json') && event !== undefined)
      call.out.jsonEvent({ at: new Date(project.clock.now()).toISOString(), ...event });
    if (!call.has('json') && text !== undefined) call.out.print(text);
    return text !== undefined;
  } catch (error) {
    if (!isForewordError(error) || error.code !== 'conflict') throw error;
    call.out.note(
      `foreword: not merged (run.merge: auto): ${error.message}${error.hint === undefined ? '' : ` ${error.hint}`}`,
    );
    return false;
  }
}
