// Level: one way to isolate commands. Both levels get the same plan (mounts.ts) and must pass the same self-test.
// To add one: a file that makes a `Level`, and a line in index.ts.

import type { Mount } from './mounts.ts';

export interface Level {
  /** With its version: stored with each verdict. */
  readonly name: string;
  /** The program that does it, as an absolute path: it must not lie in the work tree. */
  readonly program: string;
  /** Whether a command inside is kept from making user namespaces of its own. */
  readonly refusesNested: boolean;
  /** Whether it can load the filter of system calls. */
  readonly canFilter: boolean;
  /** The command line that makes a file system in memory at `folder`, in namespaces of its own, and becomes `HOLD` there. */
  holdSpace(folder: string, bytes: number): readonly [string, ...string[]];
  /** Once for each copy, before its first command. */
  prepare?(layout: SandboxLayout): void;
  /** The whole command line that runs `shell` inside. */
  commandLine(layout: SandboxLayout): readonly [string, ...string[]];
  /** Why the level itself failed and the command never started; `undefined` when the end is the command's own. */
  failure(stderr: string, exitCode: number | null): string | undefined;
}

/** What the inside looks like. */
export interface SandboxLayout {
  readonly mounts: readonly Mount[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** An empty folder of ours, for levels that build the inside by hand. */
  readonly emptyFolder: string;
  readonly filter: Filter | undefined;
  readonly shell: readonly string[];
}

/** The filter of system calls (seccomp.ts). */
export interface Filter {
  readonly bytes: Uint8Array;
  readonly file: string;
}

export interface Limits {
  /** Of the copy: for a larger work tree nothing runs. */
  readonly copyBytes: number;
  readonly copyFiles: number;
  /** Of all that the commands of one run write, on top of the copy; /tmp and /dev/shm count. Then the disk is full for
   *  them (ENOSPC). */
  readonly writtenBytes: number;
  readonly writtenFiles: number;
  /** A folder `node_modules` with more files than this is linked read-only. */
  readonly linkAbove: number;
  /** Of any one file a command writes. */
  readonly fileBytes: number;
  /** Of data in any one process. The address space is not limited: node reserves far more of it than it uses. */
  readonly memoryBytes: number;
  /** Of /tmp and of /dev/shm each, where the space as a whole has no limit. */
  readonly temporaryBytes: number;
  /** Of one sandbox, where the kernel counts by user namespace (5.14) and we are not root: elsewhere the limit would
   *  count every process of the user, or no process, and is not set. Then only the wall clock ends a fork bomb. */
  readonly processes: number;
}

const MIB = 2 ** 20;

export const DEFAULT_LIMITS: Limits = {
  copyBytes: 1_024 * MIB,
  copyFiles: 100_000,
  writtenBytes: 2_048 * MIB,
  writtenFiles: 200_000,
  linkAbove: 2_000,
  fileBytes: 1_024 * MIB,
  memoryBytes: 8_192 * MIB,
  temporaryBytes: 512 * MIB,
  processes: 2_000,
};
