// One CommonJS file per entry; what the source loads with `import()` becomes a file of its own beside it, read when it is
// needed. Files repeat what they share: that costs disk and saves time.

import { join, relative } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const SHARED = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  legalComments: 'none',
  logLevel: 'warning',
  minify: true,
};

/** `names`: files whose name is not made from their path. `there`: files of the folder that are built already; those built
 *  now are added. `options` are esbuild's. */
export async function buildLazy(folder, entries, { names = {}, there = new Set(), options = {} } = {}) {
  const nameOf = (path) => names[path] ?? relative('src', path).replaceAll('/', '-').replace(/\.ts$/, '.cjs');
  const waiting = [...entries];
  const lazyFiles = {
    name: 'lazy-files',
    setup: (bundle) =>
      bundle.onResolve({ filter: /^\./ }, (wanted) => {
        if (wanted.kind !== 'dynamic-import') return undefined;
        const path = relative(root, join(wanted.resolveDir, wanted.path));
        waiting.push(path);
        return { path: `./${nameOf(path)}`, external: true };
      }),
  };
  for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
    const name = nameOf(entry);
    if (there.has(name)) continue;
    there.add(name);
    await build({
      ...SHARED,
      ...options,
      entryPoints: [entry],
      outfile: join(folder, name),
      format: 'cjs',
      supported: { 'dynamic-import': false },
      plugins: [lazyFiles],
    });
  }
}
