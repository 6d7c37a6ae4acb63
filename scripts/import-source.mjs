// Imports a TypeScript file of the project into a script, bundled on the way.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { writeCatalogs } from './agents-catalog.mjs';

const root = join(import.meta.dirname, '..');

export async function importSource(path) {
  writeCatalogs();
  const outfile = join(root, 'node_modules/.cache/foreword-scripts', `${path.replaceAll('/', '-')}-${process.pid}.mjs`);
  buildSync({
    absWorkingDir: root,
    entryPoints: [path],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile, { force: true });
  }
}
