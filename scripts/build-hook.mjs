// Builds what agents run as a hook into one folder: the scripts, and hook.cjs beside them with what it loads. What is loaded
// only when it is needed (the reader of YAML, the composer with the stores) becomes a file of its own, as in the command.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const NAMES = { 'src/hooks/start.ts': 'hook.cjs', 'src/hooks/main.ts': 'hook-main.cjs' };

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
  copyFileSync(join(root, 'src/hooks/foreword-hook.sh'), script);
  chmodSync(script, 0o755);
  copyFileSync(join(root, 'src/hooks/foreword-speak.sh'), join(folder, 'foreword-speak'));
  keepHookCode(folder);
  return script;
}

/** Kept code is used only with the sources it was made from. */
function sourcesHash() {
  const hash = createHash('sha256');
  for (const entry of readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true }))
    if (entry.isFile()) hash.update(readFileSync(join(entry.parentPath ?? entry.path, entry.name)));
  return hash.digest('hex').slice(0, 16);
}

/** Runs each event once in a project of its own, so that the compiled code lies beside the hook from its first use on. */
export function keepHookCode(folder) {
  const scratch = mkdtempSync(join(tmpdir(), 'foreword-build-'));
  try {
    mkdirSync(join(scratch, '.context'));
    mkdirSync(join(scratch, '.foreword'));
    writeFileSync(join(scratch, '.context/CONSTITUTION.md'), '# Warm up\n');
    writeFileSync(join(scratch, '.foreword/tasks.yaml'), '- { id: a, instructions: warm up }\n');
    const env = { PATH: process.env.PATH, HOME: scratch };
    const input = JSON.stringify({
      session_id: 'warm-up',
      cwd: scratch,
      source: 'startup',
      prompt: 'x',
      tool_input: {},
    });
    for (const event of ['stop', 'prompt', 'session-start', 'pre-tool']) {
      const args = [join(folder, 'hook.cjs'), event, 'claude', '--keep-code'];
      spawnSync(process.execPath, args, { cwd: scratch, env, input, stdio: ['pipe', 'ignore', 'ignore'] });
    }
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
