// hook.cjs: loads the hook with V8's compiled code. Compiling took an eighth of the time in which the gate prints. Unlike the
// command's entry (src/start.ts) it only reads that code: a hook writes nothing but its state. The code is made where the
// hook is built or installed, by a run with --keep-code.
// Runs as CommonJS (scripts/build-hook.mjs).

import { keepCode, load } from '../system/files/compiled-code.ts';

if (process.argv.includes('--keep-code')) process.on('exit', () => keepCode('all'));
load('./hook-main.cjs');
