#!/usr/bin/env node
// The command's entry: loads main with V8's compiled code, which is kept beside it. Compiling anew at every start took
// a third of the time of `foreword context`. The kept code is checked by V8 (version, flags, source) and made again
// when it does not fit; where it cannot be written, the command works as well, only slower.
// Runs as CommonJS (scripts/build.mjs): `require` and `__dirname` are those of the built file.

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { Script } from 'node:vm';

const stale: { readonly script: Script; readonly file: string }[] = [];
const loaded = new Map<string, unknown>();

load('./main.cjs');
process.on('exit', keepCode);

/** Stands in for `require` in our own files; everything else goes to Node. */
function load(name: string): unknown {
  if (!name.startsWith('./') || !name.endsWith('.cjs')) return require(name);
  if (loaded.has(name)) return loaded.get(name);
  const file = `${__dirname}/${name.slice(2)}`;
  const wrapped = `(function (exports, require, module) {${readFileSync(file, 'utf8')}\n})`;
  const cachedData = keptCode(file);
  const script = new Script(wrapped, { filename: file, ...(cachedData === undefined ? {} : { cachedData }) });
  if (cachedData === undefined || script.cachedDataRejected === true) stale.push({ script, file });
  const module: { exports: unknown } = { exports: {} };
  loaded.set(name, module.exports);
  script.runInThisContext()(module.exports, load, module);
  loaded.set(name, module.exports);
  return module.exports;
}

function keptCode(file: string): Buffer | undefined {
  try {
    return readFileSync(`${file}.code`);
  } catch {
    return undefined;
  }
}

/** After the work, so that what was compiled on the way is kept too. */
function keepCode(): void {
  for (const { script, file } of stale) {
    try {
      const temporary = `${file}.${process.pid}.tmp`;
      writeFileSync(temporary, script.createCachedData()); // house-rule: no-plain-write
      renameSync(temporary, `${file}.code`);
    } catch {
      // Installed by somebody else, or the disk is full: next time then.
      return;
    }
  }
}
