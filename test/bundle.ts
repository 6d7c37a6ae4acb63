// Makes a TypeScript file runnable as a process of its own: tests that kill processes need real ones.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buildSync } from 'esbuild';

/** Bundles `entry` (packages stay outside) and answers the path of a file that `node` can run. Lives in the
 *  project's node_modules/.cache so that its imports of packages resolve. */
export function bundle(entry: string): string {
  const root = join(import.meta.dirname, '..');
  const outfile = join(root, 'node_modules/.cache/foreword-test', `${basename(entry, '.ts')}-${process.pid}.mjs`);
  buildSync({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  });
  return outfile;
}

export function temporaryFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `foreword-${name}-`));
}
