// Builds dist/: the command, the library and its types. Runs on `npm ci` and `npm install` in a checkout (prepare).
// Usage: node scripts/build.mjs [--no-types]

import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { writeCatalogs } from './agents-catalog.mjs';
import { buildHook } from './build-hook.mjs';
import { buildLazy } from './build-lazy.mjs';
import { buildPlugins } from './build-plugins.mjs';
import { writeNotices } from './notices.mjs';

const root = join(import.meta.dirname, '..');
const packageFacts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { version } = packageFacts;
/** What xray puts around hooks and servers: a small program of its own, for they start it often. */
const RECORDER = 'src/verify/xray/recorder-program.ts';
/** Programs without the types of Node or of browsers have no such name; where there is one, this adds nothing to it. */
const ABORT_SIGNAL = 'declare global {\n    interface AbortSignal {}\n}\n';
rmSync(join(root, 'dist'), { recursive: true, force: true });
writeCatalogs();

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  external: ['libsql', 'ioredis', '@lydell/node-pty', 'bullmq'],
  legalComments: 'none',
  logLevel: 'warning',
  minify: process.env.FOREWORD_BUILD_PLAIN === undefined,
  keepNames: false,
};

await buildHook(join(root, 'dist/hook'), {
  external: common.external,
  minify: common.minify,
  define: { FOREWORD_VERSION: JSON.stringify(version) },
});
await buildPlugins(join(root, 'dist/plugins'), packageFacts, {
  minify: common.minify,
  define: { FOREWORD_VERSION: JSON.stringify(version) },
});
await buildCommand();
await build({
  ...common,
  entryPoints: { index: 'src/index.ts', testing: 'src/testing/index.ts' },
  outdir: 'dist',
  splitting: true,
  format: 'esm',
  chunkNames: 'chunks/[hash]',
  // Node prints the whole line in which an error was thrown: lines are kept short, and maps lead to the source.
  lineLimit: 160,
  sourcemap: 'linked',
  // Maps name the file and the line; with the source in them they would be the largest part of the package.
  sourcesContent: false,
});
await buildPage();
await writeNotices(join(root, 'dist/THIRD-PARTY.txt'), common.external);
if (!process.argv.includes('--no-types')) {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.types.json')], { stdio: 'inherit' });
  keepNamedTypes(join(root, 'dist/types'));
  for (const entry of ['index.d.ts', 'testing/index.d.ts'])
    appendFileSync(join(root, 'dist/types', entry), ABORT_SIGNAL);
}

/** Removes the types that neither entry of the package names, in one step or more. */
function keepNamedTypes(folder) {
  const kept = new Set();
  const waiting = ['index.d.ts', 'testing/index.d.ts'].map((name) => join(folder, name));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (kept.has(file)) continue;
    kept.add(file);
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*['"](\.[^'"]+)['"]/g))
      waiting.push(join(dirname(file), path.replace(/\.(js|ts)$/, '.d.ts')));
  }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath ?? entry.path, entry.name);
    if (entry.isFile() && !kept.has(file)) rmSync(file);
  }
}

/** The dashboard's page, for browsers: one script, one style, one document. */
async function buildPage() {
  await build({
    ...common,
    platform: 'browser',
    target: 'es2022',
    format: 'iife',
    entryPoints: [
      { in: 'src/dashboard/page/main.ts', out: 'page' },
      { in: 'src/dashboard/page/page.css', out: 'page' },
    ],
    outdir: 'dist/dashboard',
  });
  cpSync(join(root, 'src/dashboard/page/page.html'), join(root, 'dist/dashboard/page.html'));
}

function sourcesHash() {
  const hash = createHash('sha256');
  for (const entry of readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) hash.update(readFileSync(join(entry.parentPath ?? entry.path, entry.name)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Runs the command once per kind of work, so that its compiled code lies beside it from the first call on. */
function keepCode() {
  const folder = mkdtempSync(join(tmpdir(), 'foreword-build-'));
  try {
    mkdirSync(join(folder, '.foreword'));
    writeFileSync(join(folder, '.foreword/tasks.yaml'), '- { id: a, instructions: warm up }\n');
    const run = (...args) =>
      spawnSync(process.execPath, [join(root, 'dist/command/start.cjs'), ...args, '--cwd', folder], {
        stdio: 'ignore',
        // What it keeps for a person is not for this person.
        env: { PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: join(folder, 'state') },
      });
    for (const args of [['context'], ['prompt', 'a'], ['save', '--next', 'x'], ['load'], ['export'], ['context']])
      run(...args);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The command starts a third faster as CommonJS than as ES modules (Node 20), and with what it does not need left unread:
 *  `foreword context` never parses the Redis store. */
async function buildCommand() {
  const define = { FOREWORD_VERSION: JSON.stringify(version), FOREWORD_BUILD: JSON.stringify(sourcesHash()) };
  const entries = ['src/start.ts', 'src/main.ts', 'src/host.ts', 'src/app/session-host.ts', RECORDER];
  await buildLazy('dist/command', entries, { options: { ...common, define } });
  chmodSync(join(root, 'dist/command/start.cjs'), 0o755);
  keepCode();
}
