// The names of refs. In our own repository every attempt has one; the person's repository gets the branch and `base`.

import { sha256 } from '../../system/sha256.ts';

export interface RunRefs {
  /** In both repositories. */
  readonly base: string;
  /** In ours: what the person had not committed when the run began, for runs that take it along. */
  readonly snapshot: string;
  /** In ours: where the branch of the person shall be. */
  readonly tip: string;
  /** In the person's, as `git branch` shows it without `refs/heads/`. */
  readonly branch: string;
  attempt(task: string, attempt: number): string;
  /** All attempts of a task, as a prefix. */
  task(task: string): string;
  /** All attempts of all tasks, as a prefix. */
  readonly tasks: string;
}

/** `run` is an id of ours: letters, digits, `-` and `_`. */
export function refsOf(run: string): RunRefs {
  const own = `refs/foreword/${component(run)}`;
  const task = (id: string) => `${own}/tasks/${component(id)}`;
  return {
    base: `${own}/base`,
    snapshot: `${own}/snapshot`,
    tip: `${own}/tip`,
    branch: `refs/heads/foreword/${component(run)}`,
    tasks: `${own}/tasks/`,
    task,
    attempt: (id, attempt) => `${task(id)}/${attempt}`,
  };
}

/** An id may hold anything; a ref may not, and some file systems ignore case. */
function component(id: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,60}$/.test(id)) return id;
  return `${id.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 40)}-${sha256(id).slice(0, 8)}`;
}
