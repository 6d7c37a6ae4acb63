// Builds what agents run as a hook into one folder: the scripts, and hook.cjs beside them with what it loads. What is loaded
// only when it is needed (the reader of YAML, the composer with the stores) becomes a file of its own, as in the command.

import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildLazy } from './build-lazy.mjs';
import { importSource } from './import-source.mjs';

const root = join(import.meta.dirname, '..');
const NAMES = { 'src/hooks/start.ts': 'hook.cjs', 'src/app/hook-program.ts': 'hook-main.cjs' };

/** `options` are those of esbuild that the command is built with. Answers the path of the script. */
export async function buildHook(folder, options = {}) {
  mkdirSync(folder, { recursive: true });
  await buildLazy(folder, Object.keys(NAMES), {
    names: NAMES,
    options: {
      external: ['libsql', 'ioredis'],
      ...options,
      define: { FOREWORD_BUILD: JSON.stringify(sourcesHash()), ...options.define },
    },
  });
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
