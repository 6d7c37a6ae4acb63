// Makes a TypeScript file runnable as a process of its own: tests that kill processes need real ones.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buildSync } from 'esbuild';

const bundled = new Map<string, string>();

/** Bundles `entry` (packages stay outside), once in this process, and answers the path of a file that `node` can run. Lives in
 *  the project's node_modules/.cache so that its imports of packages resolve. */
export function bundle(entry: string): string {
  const done = bundled.get(entry);
  if (done !== undefined) return done;
  const root = join(import.meta.dirname, '..');
  const name = `${basename(entry, '.ts')}-${process.pid}-${bundled.size}.mjs`;
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
  bundled.set(entry, outfile);
  return outfile;
}

export function temporaryFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `foreword-${name}-`));
}
