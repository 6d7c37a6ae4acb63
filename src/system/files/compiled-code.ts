// Our own built files, loaded with V8's compiled code, which is kept beside each of them as FILE.code. V8 checks its version
// and flags, but of the source only the length: so the kept code begins with the build and the file's time, and is not used
// when any of these does not fit. Without it everything works as well, only slower.
// Bundled into an entry that runs as CommonJS: `require` and `__dirname` are those of the built file.

import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { Script } from 'node:vm';

/** Put in by the build: a hash of the sources. */
declare const FOREWORD_BUILD: string;

const loaded = new Map<string, unknown>();
const compiled: { readonly script: Script; readonly file: string; readonly isKept: boolean }[] = [];

/** Replaces `require` in our own files; everything else goes to Node. */
export function load(name: string): unknown {
  if (!name.startsWith('./') || !name.endsWith('.cjs')) return require(name);
  if (loaded.has(name)) return loaded.get(name);
  const file = `${__dirname}/${name.slice(2)}`;
  const wrapped = `(function (exports, require, module, __dirname) {${readFileSync(file, 'utf8')}\n})`;
  const cachedData = keptCode(file);
  const script = new Script(wrapped, { filename: file, ...(cachedData === undefined ? {} : { cachedData }) });
  compiled.push({ script, file, isKept: cachedData !== undefined && script.cachedDataRejected !== true });
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

/** Stores the compiled code of the loaded files: `missing`, only for files without code that fits; `all`, for all of them.
 *  Call it after the work, so that functions compiled meanwhile are stored too. */
export function keepCode(which: 'missing' | 'all'): void {
  for (const { script, file, isKept } of compiled) {
    if (isKept && which === 'missing') continue;
    const temporary = `${file}.${process.pid}.tmp`;
    try {
      writeFileSync(temporary, Buffer.concat([headOf(file), script.createCachedData()])); // house-rule: no-plain-write
      renameSync(temporary, `${file}.code`);
    } catch {
      // The folder belongs to another user, or the disk is full: the next call tries again.
      remove(temporary);
      return;
    }
  }
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // It could not be made either.
    return;
  }
}
