// The folder a task has in the project for logs, snapshots and its work tree: `.foreword/runs/<task>`.

import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureFolder } from '../../system/files/project.ts';

/** Makes it (mode 0700). Throws `bad-input` when `.foreword` is a link. */
export function taskFolder(root: string, taskId: string): string {
  const folder = join(ensureFolder(root), 'runs', folderName(taskId));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** A task's id may hold anything; a file name may not. */
export function folderName(taskId: string): string {
  const plain = taskId.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 40);
  return `${plain}-${createHash('sha256').update(taskId).digest('hex').slice(0, 8)}`;
}
