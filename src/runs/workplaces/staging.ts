// Puts files into a work tree so that a full disk or a crash in the middle finds each file old or new: everything is
// written and synced in a folder of ours first, then moved into place by renames.

import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { ForewordError } from '../../kernel/errors.ts';
import { replaceFile } from '../../system/files/atomic.ts';
import { copyInside } from '../../system/files/open-inside.ts';
import { type FileState, isUnmoved, lookAt, removeFrom } from './file-state.ts';

/** What shall lie at a path, and what lay there when that was decided. */
export interface PlannedWrite {
  readonly path: string;
  readonly before: FileState;
  readonly put: Put;
}

export type Put =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'copy'; readonly from: string; readonly top: string; readonly mode: number }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly mode: number }
  | { readonly kind: 'link'; readonly target: string };

/** False when one of the files was written since the steps were decided: nothing was changed then. Throws
 *  `disk-full`, and nothing was changed then either. `folder` is emptied before and after. */
export function carryOut(top: string, steps: readonly PlannedWrite[], folder: string): boolean {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    const staged = steps.map((step, index) => ({ step, at: stage(step.put, join(folder, String(index))) }));
    if (steps.some(({ path, before }) => !isUnmoved(before, lookAt(top, path)))) return false;
    // First what goes: a file may come where a folder was.
    for (const { step } of staged) if (step.put.kind === 'nothing') removeFrom(top, step.path);
    for (const { step, at } of staged) if (at !== undefined) move(at, join(top, step.path));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    throw new ForewordError('disk-full', `No space left to take the work over: ${folder}.`, {
      hint: 'Free some space and run again: the work is kept.',
      cause: error,
    });
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function stage(put: Put, at: string): string | undefined {
  if (put.kind === 'nothing') return undefined;
  if (put.kind === 'link') fs.symlinkSync(put.target, at);
  else if (put.kind === 'bytes') replaceFile(at, put.bytes, { mode: put.mode });
  else {
    // An agent may have left something running that puts a link there.
    if (!copyInside(put.from, at, { root: put.top, isLinkFree: true })) throw exchanged(put.from);
    fs.chmodSync(at, put.mode | 0o200);
    const file = fs.openSync(at, 'r+');
    fs.fsyncSync(file);
    fs.closeSync(file);
    fs.chmodSync(at, put.mode);
  }
  return at;
}

function exchanged(path: string): ForewordError {
  return new ForewordError('bad-input', `${path} was exchanged for something else while it was copied.`, {
    hint: 'End what still runs in that folder and run again: the work is kept.',
  });
}

function move(from: string, to: string): void {
  fs.mkdirSync(dirname(to), { recursive: true });
  try {
    fs.renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    moveAcross(from, to);
  }
}

/** `.foreword` lies on another disk than the file. */
function moveAcross(from: string, to: string): void {
  const stat = fs.lstatSync(from);
  if (stat.isSymbolicLink()) {
    fs.rmSync(to, { force: true });
    fs.symlinkSync(fs.readlinkSync(from), to);
    return;
  }
  replaceFile(to, fs.readFileSync(from), { mode: stat.mode });
  fs.chmodSync(to, stat.mode & 0o777);
}
