// A process that opens an agent in a terminal, tells its number, and stays until it is killed.
// Usage: node hold-terminal.mjs pty|tmux FOLDER SCRIPT

import { join } from 'node:path';
import { openPty } from '../../src/terminals/pty/pty.ts';
import { openTmux } from '../../src/terminals/tmux/tmux.ts';

const [kind, folder = '', script = ''] = process.argv.slice(2);
const start = {
  command: ['/bin/sh', '-c', script] as const,
  cwd: '/',
  env: { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', TAG: folder },
  size: { cols: 80, rows: 24 },
};
const place = { socket: join(folder, 's'), session: 'held' };
const terminal = kind === 'pty' ? await openPty(start) : await openTmux(start, place);
terminal.onOutput(() => undefined);
process.stdout.write(`${terminal.pid}\n`);
setInterval(() => undefined, 1000);
