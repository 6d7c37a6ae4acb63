// Builds what agents run as a hook into one folder: the script, and hook.cjs beside it. What hook.cjs loads only when it is
// needed (the reader of YAML, the composer with the stores) becomes a file of its own, as in the command.

import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');

/** `options` are those of esbuild that the command is built with. */
export async function buildHook(folder, options = {}) {
  mkdirSync(folder, { recursive: true });
  const waiting = ['src/hooks/main.ts'];
  const done = new Set();
  const nameOf = (path) =>
    path === 'src/hooks/main.ts' ? 'hook.cjs' : relative('src', path).replaceAll('/', '-').replace(/\.ts$/, '.cjs');
  while (waiting.length > 0) {
    const entry = waiting.pop();
    if (done.has(entry)) continue;
    done.add(entry);
    await build({
      absWorkingDir: root,
      bundle: true,
      platform: 'node',
      target: 'node20',
      external: ['libsql', 'ioredis'],
      legalComments: 'none',
      logLevel: 'warning',
      minify: true,
      ...options,
      entryPoints: [entry],
      outfile: join(folder, nameOf(entry)),
      format: 'cjs',
      supported: { 'dynamic-import': false },
      plugins: [
        {
          name: 'lazy-files',
          setup: (bundle) =>
            bundle.onResolve({ filter: /^\./ }, (wanted) => {
              if (wanted.kind !== 'dynamic-import') return undefined;
              const path = relative(root, join(wanted.resolveDir, wanted.path));
              waiting.push(path);
              return { path: `./${nameOf(path)}`, external: true };
            }),
        },
      ],
    });
  }
  const script = join(folder, 'foreword-hook');
  copyFileSync(join(root, 'src/hooks/foreword-hook.sh'), script);
  chmodSync(script, 0o755);
  return script;
}
