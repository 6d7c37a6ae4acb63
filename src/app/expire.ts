// Joins what is removed from remotes to the project: for `foreword clean`, and for workers.

import { ANSWER_MS, remoteOf } from '../fleet/carry.ts';
import { cleanRemote } from '../fleet/clean-remote.ts';
import { expireAttempts } from '../fleet/expire.ts';
import { refsOf } from '../runs/checkouts/index.ts';
import type { Leftover } from '../runs/review/leftovers.ts';
import type { Project } from './project.ts';
import { sourceOf } from './review.ts';

export async function expireOnRemotes(
  project: Project,
  { isDryRun }: { readonly isDryRun: boolean },
): Promise<readonly Leftover[]> {
  const stores = await project.readStores();
  const runs = (await stores.runs.list()).map(({ value }) => value).filter(({ remote }) => remote !== undefined);
  const tasks = await stores.tasks.list();
  const taskRef = (run: string, task: string) => refsOf(run).task(task);
  return expireAttempts(await sourceOf(project)(), { runs, tasks, now: project.clock.now(), isDryRun, taskRef });
}

export async function cleanNamedRemote(project: Project, name: string, how: { readonly isDryRun: boolean }) {
  const runs = (await (await project.readStores()).runs.list()).map(({ value }) => value);
  return cleanRemote(await remoteOf(await sourceOf(project)(), name, { answerMs: ANSWER_MS }), runs, how);
}
