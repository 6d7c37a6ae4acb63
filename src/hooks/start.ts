// hook.cjs: loads the hook with V8's compiled code, which lies beside it. Compiling took an eighth of the time in which the
// gate speaks. Unlike the command's entry (src/start.ts) it only reads that code: a hook writes nothing but its state. The
// code is made where the hook is built or installed, by a run with --keep-code; without it, or when it does not fit the
// file or this Node, the hook works as well, only slower.
// Runs as CommonJS (scripts/build-hook.mjs): `require` and `__dirname` are those of the built file.

import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { Script } from 'node:vm';

/** Put in by the build: a hash of the sources. V8 looks at the length of a source only. */
declare const FOREWORD_BUILD: string;

const loaded = new Map<string, unknown>();
const scripts: { readonly script: Script; readonly file: string }[] = [];

if (process.argv.includes('--keep-code')) process.on('exit', keepCode);
load('./hook-main.cjs');

/** Stands in for `require` in our own files; everything else goes to Node. */
function load(name: string): unknown {
  if (!name.startsWith('./') || !name.endsWith('.cjs')) return require(name);
  if (loaded.has(name)) return loaded.get(name);
  const file = `${__dirname}/${name.slice(2)}`;
  const wrapped = `(function (exports, require, module) {${readFileSync(file, 'utf8')}\n})`;
  const cachedData = keptCode(file);
  const script = new Script(wrapped, { filename: file, ...(cachedData === undefined ? {} : { cachedData }) });
  scripts.push({ script, file });
  const module: { exports: unknown } = { exports: {} };
  loaded.set(name, module.exports);
  script.runInThisContext()(module.exports, load, module);
  loaded.set(name, module.exports);
  return module.exports;
}

function keptCode(file: string): Buffer | undefined {
  try {
    const kept = readFileSync(`${file}.code`);
    const head = headOf(file);
    return kept.subarray(0, head.length).equals(head) ? kept.subarray(head.length) : undefined;
  } catch {
    return undefined;
  }
}

function headOf(file: string): Buffer {
  return Buffer.from(`${FOREWORD_BUILD} ${statSync(file).mtimeMs}\n`);
}

/** After the work, so that what was compiled on the way is kept too. */
function keepCode(): void {
  for (const { script, file } of scripts) {
    const temporary = `${file}.${process.pid}.tmp`;
    writeFileSync(temporary, Buffer.concat([headOf(file), script.createCachedData()])); // house-rule: no-plain-write
    renameSync(temporary, `${file}.code`);
  }
}
