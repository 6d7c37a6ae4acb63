// The folder of one task's own files: logs, prompts, the helper's folders.

import { mkdirSync } from 'node:fs';
import type { RunPlaces } from '../system/files/project-state.ts';

/** Made where it is missing, for its owner alone. */
export function makeTaskFolder(places: RunPlaces, taskId: string): string {
  const { folder } = places.task(taskId);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** The name of the folder of those who look at the work on a task. */
export function lookerFolder(taskId: string, role: 'helper' | 'review'): string {
  return `${taskId} ${role}`;
}
