// The space that commands may fill: a file system in memory, of limited size and number of files, for the copy and for all
// that commands write. An ordinary user can make one in a mount namespace of his own only. A level's program makes both
// and ends; the namespaces live on by our open files. So nobody else sees what is in it, our own end frees it however
// it comes, and what is full is the space and never the disk.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { closeSync, constants, openSync, statfsSync } from 'node:fs';
import type { RunProcess } from '../../kernel/process.ts';
import type { Level } from './level.ts';

export interface Space {
  /** The folder as this process reaches it. */
  readonly path: string;
  /** The same folder for a program that `enter` started. */
  readonly inner: string;
  /** Goes before a command line. */
  readonly enter: readonly string[];
  used(): SpaceSize;
  /** From now on no more fits. Why not, or `undefined`. */
  limit(size: SpaceSize): Promise<string | undefined>;
  close(): void;
}

export interface SpaceSize {
  readonly bytes: number;
  readonly files: number;
}

export interface SpaceRequest {
  readonly level: Level;
  readonly run: RunProcess;
  /** The program of util-linux, as an absolute path. */
  readonly nsenter: string;
  /** An empty folder of ours. */
  readonly folder: string;
  /** The most that fits until `limit`. */
  readonly bytes: number;
}

/** A level's program that takes longer is stuck. */
const HOLD_MS = 5_000;
/** What a level's program becomes once the space is there: gives its number, and waits until we have opened what we need. */
export const HOLD = 'echo $$ && read _';

/** Never throws: answers why there is none. */
export async function openSpace(request: SpaceRequest): Promise<Space | string> {
  const [program, ...words] = request.level.holdSpace(request.folder, request.bytes);
  const holder = spawn(program, words, { cwd: '/', env: {}, timeout: HOLD_MS, killSignal: 'SIGKILL' });
  const ended = new Promise<void>((resolve) => {
    holder.once('close', resolve).once('error', () => resolve());
  });
  const open: number[] = [];
  try {
    const pid = await firstLine(holder);
    for (const path of [`ns/user`, `ns/mnt`]) open.push(openSync(`/proc/${pid}/${path}`, 'r'));
    open.push(openSync(`/proc/${pid}/root${request.folder}`, constants.O_RDONLY | constants.O_DIRECTORY));
    return spaceOf(request, open);
  } catch (error) {
    for (const each of open) closeSync(each);
    return error instanceof Error ? error.message : String(error);
  } finally {
    // Its input ends, and so does it.
    holder.stdin.end();
    await ended;
  }
}

function spaceOf(request: SpaceRequest, open: readonly number[]): Space {
  const [user, mount, folder] = open;
  const path = `/proc/self/fd/${folder}`;
  const files = `/proc/${process.pid}/fd`;
  const namespaces = [`--user=${files}/${user}`, `--mount=${files}/${mount}`];
  const enter = [request.nsenter, '--preserve-credentials', ...namespaces, '--'] as const;
  return {
    path,
    inner: request.folder,
    enter,
    used: () => {
      const all = statfsSync(path);
      return { bytes: (all.blocks - all.bfree) * all.bsize, files: all.files - all.ffree };
    },
    limit: async ({ bytes, files: most }) => {
      const options = `remount,nosuid,nodev,size=${bytes},nr_inodes=${most}`;
      const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };
      // With the device named, mount does not repeat the options it finds, such as the owner by his number outside.
      const command = [...enter, 'mount', '-t', 'tmpfs', '-o', options, 'tmpfs', request.folder] as const;
      const end = await request.run({ command, cwd: '/', env, timeoutMs: HOLD_MS });
      const now = statfsSync(path);
      // Rounded up to whole pages.
      if (now.files === most && now.blocks > 0 && now.blocks * now.bsize < bytes + now.bsize) return undefined;
      return end.startError ?? (end.stderr.text.trim() || 'the limit was not taken');
    },
    close: () => {
      for (const each of open) closeSync(each);
    },
  };
}

/** The number that the program prints, or what it printed instead. */
function firstLine(holder: ChildProcessWithoutNullStreams): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    let complaint = '';
    holder.stdin.on('error', () => undefined);
    holder.stdout.on('data', (chunk: Buffer) => {
      printed += String(chunk);
      if (/^\d+\n/.test(printed)) resolve(printed.trim());
    });
    holder.stderr.on('data', (chunk: Buffer) => {
      complaint = (complaint + String(chunk)).slice(0, 2_000);
    });
    holder.once('error', reject);
    holder.once('close', (code) => reject(new Error(complaint.trim() || `its program ended with ${code}`)));
  });
}
