// The entry of the program that hosts a session in tmux: loads it with V8's compiled code, as start.ts does for the command.
// Runs as CommonJS (scripts/build.mjs).

import { keepCode, load } from './system/files/compiled-code.ts';

load('./app-session-host.cjs');
process.on('exit', () => keepCode('missing'));
