// Tests that a machine may be unable to run. The title of one that is skipped has the reason, which the end of `npm test` prints.

import { spawnSync } from 'node:child_process';
import { test } from 'vitest';

/** `test`, or a test that is skipped because of `why`. */
export function testUnless(
  why: string | undefined,
): (title: string, work: () => void | Promise<void>, timeoutMs?: number) => void {
  return (title, work, timeoutMs) =>
    test.skipIf(why !== undefined)(why === undefined ? title : `${title} (skipped: ${why})`, work, timeoutMs);
}

/** With a disk of any size, which `unshare -rm` and `mount -t tmpfs` make. */
export const onSmallDisk = testUnless(noSmallDisk());

function noSmallDisk(): string | undefined {
  const made = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', '-o', 'size=1m,nr_inodes=4', 'tmpfs', '/mnt'], {
    encoding: 'utf8',
  });
  if (made.status === 0) return undefined;
  return `no small disk can be made: ${made.error?.message ?? made.stderr.trim()}`;
}
