// The levels this machine can test, and why it cannot test the others.

import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { findSandbox, type Limits } from '../../src/runs/sandboxes/index.ts';
import type { Sandbox, SandboxFinding } from '../../src/runs/sandboxes/sandbox.ts';
import { runProcess } from '../../src/system/processes/run-process.ts';

/** For the top of a test file: copies go to a folder of this file alone, so that what is left of them can be counted while other
 *  tests run. */
export function ownCopies(): void {
  const folder = mkdtempSync(join(tmpdir(), 'foreword-copies-'));
  process.env.TMPDIR = folder;
  afterAll(() => rmSync(folder, { recursive: true }));
}

export const SEARCH_PATH = '/usr/bin:/bin:/usr/sbin:/sbin';
/** Small, so that hitting them takes no time. */
const SMALL: Partial<Limits> = {
  fileBytes: 8 * 2 ** 20,
  temporaryBytes: 8 * 2 ** 20,
  writtenBytes: 16 * 2 ** 20,
  writtenFiles: 400,
  linkAbove: 20,
  copyFiles: 2_000,
};

export function find(level: 'auto' | 'bubblewrap' | 'unshare' | 'none', more: object = {}): Promise<SandboxFinding> {
  const workTree = `${homedir()}/nowhere`;
  return findSandbox({
    level,
    readOnly: [],
    run: runProcess,
    searchPath: SEARCH_PATH,
    workTree,
    limits: SMALL,
    ...more,
  });
}

const findings = [
  ['bubblewrap', await find('bubblewrap')],
  ['unshare', await find('unshare')],
] as const;

export const LEVELS: readonly (readonly [string, Sandbox])[] = findings.flatMap(([name, finding]) =>
  finding.kind === 'ready' ? [[name, finding.sandbox] as const] : [],
);
export const UNTESTED: readonly string[] = findings.flatMap(([, finding]) =>
  finding.kind === 'missing' ? [finding.reason] : [],
);
