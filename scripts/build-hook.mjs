// Builds what agents run as a hook into one folder: the scripts, and hook.cjs beside them with what it loads. What is loaded
// only when it is needed (the reader of YAML, the composer with the stores) becomes a file of its own, as in the command.

import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { importSource } from './import-source.mjs';

const root = join(import.meta.dirname, '..');
const NAMES = { 'src/hooks/start.ts': 'hook.cjs', 'src/app/hook-program.ts': 'hook-main.cjs' };

/** `options` are those of esbuild that the command is built with. Answers the path of the script. */
export async function buildHook(folder, options = {}) {
  mkdirSync(folder, { recursive: true });
  const identity = sourcesHash();
  const waiting = Object.keys(NAMES);
  const done = new Set();
  const nameOf = (path) => NAMES[path] ?? relative('src', path).replaceAll('/', '-').replace(/\.ts$/, '.cjs');
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
      define: { FOREWORD_BUILD: JSON.stringify(identity), ...options.define },
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
  const { PROJECT_VARIABLES } = await importSource('src/hooks/dialects.ts');
  const source = readFileSync(join(root, 'src/hooks/foreword-hook.sh'), 'utf8');
  const places = PROJECT_VARIABLES.map((name) => `"\${${name}-}"`).join(' ');
  // Without its comments, which a shell reads at every call.
  const [first, ...lines] = source.replace('"PROJECT_VARIABLES"', () => places).split('\n');
  const commands = lines.filter((line) => !/^\s*(#.*)?$/.test(line));
  const origin = '# Made from src/hooks/foreword-hook.sh of foreword, where it is explained.';
  writeFileSync(script, [first, origin, ...commands, ''].join('\n'));
  chmodSync(script, 0o755);
  copyFileSync(join(root, 'src/hooks/foreword-speak.sh'), join(folder, 'foreword-speak'));
  const { keepHookCode } = await importSource('src/install/hook-code.ts');
  keepHookCode(folder, process.execPath);
  return script;
}

/** Kept code is used only with the sources it was made from. */
function sourcesHash() {
  const hash = createHash('sha256');
  for (const entry of readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true }))
    if (entry.isFile()) hash.update(readFileSync(join(entry.parentPath ?? entry.path, entry.name)));
  return hash.digest('hex').slice(0, 16);
}
