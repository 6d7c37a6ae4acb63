// What the commands of one run work in: a folder of ours, the copy of the work tree, and fresh places for /tmp and /dev/shm.
// With a space (space.ts) all that can be written lies in it, so one limit holds for all of it. Without one, the copy lies
// on the disk, and /tmp and /dev/shm are memory with limits of their own.

import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunProcess } from '../../kernel/process.ts';
import { makeCopy, PREFIX, removeFolder } from './copy.ts';
import type { Level, Limits } from './level.ts';
import type { Mount } from './mounts.ts';
import { openSpace, type Space } from './space.ts';

export interface Workspace {
  /** Ours alone (0700). */
  readonly folder: string;
  readonly emptyFolder: string;
  /** The copy at the place of the work tree, and where its links lead. */
  readonly mounts: readonly Mount[];
  /** Goes before a level's command line. */
  readonly enter: readonly string[];
  /** For one command. */
  fresh(): Fresh;
  /** Never throws. */
  close(): Promise<void>;
}

export interface Fresh {
  /** The place for a mount in memory. */
  place(mount: Mount): Mount;
  remove(): Promise<void>;
}

export interface WorkspaceRequest {
  /** A real path. */
  readonly workTree: string;
  readonly level: Level;
  readonly limits: Limits;
  readonly run: RunProcess;
  /** Absent: no space, since this machine cannot make one. */
  readonly nsenter: string | undefined;
}

/** Of the free memory, for the copy and for what is written each: the rest is for the commands themselves. */
const SHARE_OF_MEMORY = 0.4;

/** Never throws: answers why nothing can run. What a failed start left is removed. */
export async function openWorkspace(request: WorkspaceRequest): Promise<Workspace | string> {
  let folder: string | undefined;
  let space: Space | string | undefined;
  const attempt = async (): Promise<Workspace | string> => {
    folder = mkdtempSync(join(tmpdir(), PREFIX));
    space = await makeSpace(request, folder);
    return typeof space === 'string' ? space : await fill(request, folder, space);
  };
  const made = await attempt().catch((error: unknown) => `the copy could not be made: ${String(error)}`);
  if (typeof made !== 'string') return made;
  if (typeof space === 'object') space.close();
  if (folder !== undefined) await removeFolder(folder);
  return made;
}

async function makeSpace(request: WorkspaceRequest, folder: string): Promise<Space | string | undefined> {
  const { level, limits, run, nsenter } = request;
  if (nsenter === undefined) return undefined;
  const place = join(folder, 'space');
  mkdirSync(place);
  const bytes = limits.copyBytes + limits.writtenBytes;
  const space = await openSpace({ level, run, nsenter, folder: place, bytes });
  return typeof space === 'string' ? `there is no space for the copy: ${space}` : space;
}

async function fill(request: WorkspaceRequest, folder: string, space: Space | undefined): Promise<Workspace | string> {
  const { workTree, limits } = request;
  const memory = Math.floor(availableMemory() * SHARE_OF_MEMORY);
  const ours = space?.path ?? folder;
  const emptyFolder = join(folder, 'root');
  mkdirSync(emptyFolder);
  const copyBytes = space === undefined ? limits.copyBytes : Math.min(limits.copyBytes, memory);
  const copy = await makeCopy(workTree, join(ours, 'tree'), { ...limits, copyBytes });
  if (copy.kind === 'refused') return copy.reason;
  const tree = space === undefined ? join(folder, 'tree') : join(space.inner, 'tree');
  const kind = space === undefined ? 'writable' : 'space';
  if (space !== undefined) {
    const used = space.used();
    const bytes = used.bytes + Math.min(limits.writtenBytes, memory);
    const fault = await space.limit({ bytes, files: used.files + limits.writtenFiles });
    if (fault !== undefined) return `the size of the copy could not be limited: ${fault}`;
  }
  let commands = 0;
  const freshPlaces = (): Fresh => {
    commands += 1;
    return space === undefined ? UNCHANGED : freshIn(space, commands);
  };
  return {
    folder,
    emptyFolder,
    mounts: [{ kind, source: tree, target: workTree }, ...copy.mounts],
    enter: space?.enter ?? [],
    fresh: freshPlaces,
    close: async () => {
      space?.close();
      await removeFolder(folder);
    },
  };
}

/** Memory is fresh for each command by itself. */
const UNCHANGED: Fresh = { place: (mount) => mount, remove: async () => undefined };

/** Each command has names of its own: what one made too deep to remove must not stop the next. */
function freshIn(space: Space, command: number): Fresh {
  const made: string[] = [];
  return {
    place: (mount) => {
      if (mount.kind !== 'memory') return mount;
      const name = `memory-${command}${mount.target.replaceAll('/', '-')}`;
      const path = join(space.path, name);
      mkdirSync(path);
      chmodSync(path, 0o1777);
      made.push(path);
      return { kind: 'space', source: join(space.inner, name), target: mount.target };
    },
    remove: async () => {
      for (const path of made) await removeFolder(path);
    },
  };
}

function availableMemory(): number {
  // From 20.13 on, and in a container with its limits.
  return process.availableMemory?.() ?? freemem();
}
