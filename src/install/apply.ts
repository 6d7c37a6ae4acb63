// Applies a plan. Each file is read again right before it is written: either the change that the person saw is made, or none.
// When one file fails, it stays as it was, and the other files are still changed.

import { dirname, join } from 'node:path';
import { projectFolder } from '../system/files/project-state.ts';
import type { WritableFiles } from './disk.ts';
import { withLock } from './lock.ts';
import { hashOf } from './own-file.ts';
import type { Change } from './plan-file.ts';
import type { InstallRecord, InstallRecords } from './records.ts';

export interface ApplyOptions {
  readonly files: WritableFiles;
  readonly records: InstallRecords;
  /** Where the lock is made; two inits at once take turns. */
  readonly lockFolder: string;
  /** Makes the project's `.foreword/` with its .gitignore. */
  readonly ensureFolder: (root: string) => void;
}

export interface Applied {
  readonly done: readonly Change[];
  readonly refused: readonly { readonly change: Change; readonly why: string }[];
}

export async function applyPlan(changes: readonly Change[], options: ApplyOptions): Promise<Applied> {
  if (changes.length === 0) return { done: [], refused: [] };
  return withLock(options.lockFolder, () => {
    const done: Change[] = [];
    const refused: { change: Change; why: string }[] = [];
    const folders: string[] = [];
    for (const change of changes) {
      const why = applyOne(change, options, folders);
      if (why === undefined) done.push(change);
      else refused.push({ change, why });
    }
    for (const folder of [...new Set(folders)].sort((one, other) => other.length - one.length)) {
      options.files.removeFolder(folder);
    }
    return { done, refused };
  });
}

/** Returns why it was not done, or `undefined`. Adds to `folders` those that are to be removed if empty. */
function applyOne(change: Change, options: ApplyOptions, folders: string[]): string | undefined {
  const { files, records } = options;
  const { path, before, after } = change;
  const followed = files.follow(change.file);
  const now = files.read(path);
  const isSame = now.kind === 'text' ? now.text === before : now.kind === 'absent' && before === undefined;
  // Another init was first and wrote the same.
  if (now.kind === 'text' && now.text === after && after !== before) return undefined;
  if (!isSame || !followed.ok || followed.path !== path)
    return 'it changed after the plan was made; run the command again';
  const old = records.of(path);
  try {
    if (after === undefined) {
      files.delete(path);
      folders.push(...(old?.folders ?? []));
      records.forget(path);
      return undefined;
    }
    // The record first: when the file is not written after all, the hash in the record does not match, which does no harm.
    if (change.record !== undefined)
      records.keep({ ...change.record, folders: [...change.record.folders, ...prepare(change, options)] });
    files.write(path, after);
    if (change.record === undefined) records.forget(path);
    return undefined;
  } catch (error) {
    folders.push(...(records.of(path)?.folders ?? []));
    if (old === undefined) records.forget(path);
    else records.keep(old);
    return reasonOf(error);
  }
}

/** Makes the missing folders and returns them. */
function prepare(change: Change, options: ApplyOptions): readonly string[] {
  const { files } = options;
  const root = change.record?.root;
  const own = root === undefined ? undefined : projectFolder(root);
  if (root === undefined || own === undefined || !change.file.startsWith(`${own}/`))
    return files.makeFolder(dirname(change.path));
  const ignore = join(own, '.gitignore');
  const [isNewFolder, isNew] = [!files.isFolder(own), files.read(ignore).kind === 'absent'];
  options.ensureFolder(root);
  if (isNew) rememberIgnore(ignore, { root, scope: change.scope, folders: isNewFolder ? [own] : [] }, options);
  return files.makeFolder(dirname(change.path));
}

function rememberIgnore(
  file: string,
  of: Pick<InstallRecord, 'root' | 'scope' | 'folders'>,
  { files, records }: ApplyOptions,
): void {
  const followed = files.follow(file);
  const read = files.read(file);
  if (!followed.ok || read.kind !== 'text') return;
  const record: InstallRecord = {
    version: 1,
    path: followed.path,
    file,
    ...of,
    format: 'starter',
    existed: false,
    hashBefore: hashOf(''),
    hashAfter: hashOf(read.text),
    spans: [],
    created: [],
  };
  records.keep(record);
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return 'no permission to write it; if another tool manages the file, change it there';
  }
  if (code === 'ENOSPC') return 'the disk is full';
  return error instanceof Error ? error.message : String(error);
}
