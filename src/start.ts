#!/usr/bin/env node
// The command's entry: loads main with V8's compiled code. Compiling anew at every start took a third of the time of
// `foreword context`. What has none that fits is kept for the next time, where it can be written.
// Runs as CommonJS (scripts/build.mjs).

import { keepCode, load } from './system/files/compiled-code.ts';

load('./main.cjs');
process.on('exit', () => keepCode('missing'));
