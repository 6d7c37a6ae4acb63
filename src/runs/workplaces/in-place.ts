// The project itself as a workplace: what an attempt does is there at once, and there is nothing to take over. Looking at
// a work tree for the first time costs more than looking again, so one supervisor keeps one observer for all its tasks.
// The observer's folder is left by a supervisor that dies or is stopped, and the next one takes it over: it knows the
// snapshots that the records name. A second supervisor at the same time observes each task by itself.
// Snapshots are contents of files: the folder goes when no task needs it any more.

import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../system/files/atomic.ts';
import type { RunPlaces } from '../../system/files/project-state.ts';
import { openObserver } from '../observers/index.ts';
import type { TurnOwner } from './turns.ts';
import type { Workplace } from './workplace.ts';

interface InPlace {
  open(taskId: string): Workplace;
  /** Deletes what the shared observer kept, unless another supervisor that lives has it. Returns the folder if so. */
  forget(): string | undefined;
}

export function openInPlace(at: {
  readonly root: string;
  readonly runs: RunPlaces;
  readonly searchPath: string;
  readonly owner: TurnOwner;
}): InPlace {
  const { root, runs, searchPath, owner } = at;
  const { folder, observer: stateFolder } = runs.inPlace;
  const away = [runs.ours];
  const shared = { stateFolder, isOurs: undefined as boolean | undefined, isFresh: true };
  const whole = {
    cwd: root,
    takeOver: async () => ({}),
    kept: async () => undefined,
  };
  let observer: ReturnType<typeof openObserver> | undefined;
  const take = () => {
    shared.isFresh = !existsSync(shared.stateFolder);
    shared.isOurs = takeFolder(folder, owner);
  };
  return {
    forget: () => {
      if (!existsSync(shared.stateFolder)) return undefined;
      if (shared.isOurs === undefined) take();
      if (shared.isOurs !== true) return undefined;
      observer = undefined;
      shared.isFresh = true;
      rmSync(shared.stateFolder, { recursive: true, force: true });
      return shared.stateFolder;
    },
    open: (taskId) => {
      const own = runs.task(taskId).observer;
      if (shared.isOurs === undefined) take();
      if (!existsSync(own) && shared.isOurs) {
        observer ??= openObserver(root, { stateFolder: shared.stateFolder, searchPath, away });
        const { isFresh } = shared;
        shared.isFresh = false;
        return { ...whole, observer, isFresh, close: async () => undefined };
      }
      const isFresh = !existsSync(own);
      const alone = openObserver(root, { stateFolder: own, searchPath, away });
      return {
        ...whole,
        observer: alone,
        isFresh,
        close: async (end) => {
          if (end !== 'stopped') await alone.close();
        },
      };
    },
  };
}

/** Whether the folder is ours now: it had no owner, or its owner is dead. A name belongs to one process, so of several
 *  that find the same owner dead exactly one creates the folder that marks the next owner. */
function takeFolder(folder: string, owner: TurnOwner): boolean {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'owner');
  const mine = join(folder, `owner-${plain(owner.name)}`);
  try {
    replaceFile(mine, owner.name);
    const holder = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    if (holder === undefined) linkSync(mine, file);
    else if (holder !== owner.name) {
      if (owner.isAlive(holder)) return false;
      mkdirSync(join(folder, `after-${plain(holder)}`));
      renameSync(mine, file);
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(mine, { force: true });
  }
}

function plain(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, '_');
}
