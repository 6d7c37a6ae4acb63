#!/usr/bin/env node
// The command's entry: loads main with V8's compiled code, which is kept beside it. Compiling anew at every start took
// a third of the time of `foreword context`. V8 checks its version and flags, but of the source only the length: so
// the kept code begins with the build and the file's time, and is made again when any of these does not fit. Where it
// cannot be written, the command works as well, only slower.
// Runs as CommonJS (scripts/build.mjs): `require` and `__dirname` are those of the built file.

import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { Script } from 'node:vm';

/** Put in by scripts/build.mjs: a hash of the sources. */
declare const FOREWORD_BUILD: string;

const stale: { readonly script: Script; readonly file: string }[] = [];
const loaded = new Map<string, unknown>();

load('./main.cjs');
process.on('exit', keepCode);

/** Stands in for `require` in our own files; everything else goes to Node. */
function load(name: string): unknown {
  if (!name.startsWith('./') || !name.endsWith('.cjs')) return require(name);
  if (loaded.has(name)) return loaded.get(name);
  const file = `${__dirname}/${name.slice(2)}`;
  const wrapped = `(function (exports, require, module, __dirname) {${readFileSync(file, 'utf8')}\n})`;
  const cachedData = keptCode(file);
  const script = new Script(wrapped, { filename: file, ...(cachedData === undefined ? {} : { cachedData }) });
  if (cachedData === undefined || script.cachedDataRejected === true) stale.push({ script, file });
  const module: { exports: unknown } = { exports: {} };
  loaded.set(name, module.exports);
  script.runInThisContext()(module.exports, load, module, __dirname);
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
  for (const { script, file } of stale) {
    try {
      const temporary = `${file}.${process.pid}.tmp`;
      writeFileSync(temporary, Buffer.concat([headOf(file), script.createCachedData()])); // house-rule: no-plain-write
      renameSync(temporary, `${file}.code`);
    } catch {
      // Installed by somebody else, or the disk is full: next time then.
      return;
    }
  }
}
