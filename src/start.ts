#!/usr/bin/env node
// The command's entry: loads main with V8's compiled code. Compiling it again at every start took a third of the time of
// `foreword context`. A file without matching code gets it for the next start, where it can be written.
// Runs as CommonJS (scripts/build.mjs).

import { keepCode, load } from './system/files/compiled-code.ts';

load('./main.cjs');
process.on('exit', () => keepCode('missing'));
