// Makes a TypeScript file runnable as a process of its own: tests that kill processes need real ones.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buildSync } from 'esbuild';

let count = 0;

/** Bundles `entry` (packages stay outside) and answers the path of a file that `node` can run, which the caller may remove. Lives
 *  in the project's node_modules/.cache so that its imports of packages resolve. */
export function bundle(entry: string): string {
  count += 1;
  const root = join(import.meta.dirname, '..');
  const name = `${basename(entry, '.ts')}-${process.pid}-${count}.mjs`;
  const outfile = join(root, 'node_modules/.cache/foreword-test', name);
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
