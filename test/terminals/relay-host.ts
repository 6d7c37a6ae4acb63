// A person's `foreword start` in short: an agent in a PTY, passed through to this process's terminal, its screen read on
// the side. What it sees goes to a file, one line of JSON each.
// Usage: node relay-host.mjs NOTES plain|throw|detach|term PROGRAM [ARGUMENT…]

import { appendFileSync } from 'node:fs';
import { paceTerminal } from '../../src/terminals/pace.ts';
import { openPty } from '../../src/terminals/pty/pty.ts';
import { relay } from '../../src/terminals/relay.ts';
import { openScreen } from '../../src/terminals/screen/screen.ts';

const [notes = '', how, program = '', ...args] = process.argv.slice(2);
const note = (value: unknown) => appendFileSync(notes, `${JSON.stringify(value)}\n`);
const size = { cols: process.stdout.columns, rows: process.stdout.rows };
const env = { PATH: process.env.PATH ?? '', TERM: process.env.TERM ?? 'xterm-256color' };
const terminal = await openPty({ command: [program, ...args], cwd: '/', env, size });
const screen = await openScreen(size);
const outer = relay({
  terminal,
  input: process.stdin,
  output: process.stdout,
  onKeys: (bytes, isPerson) => {
    note({ keys: Buffer.from(bytes).toString('hex'), isPerson });
    terminal.write(bytes).catch(() => undefined);
  },
  onSuspend: async (isSuspended) => note({ isSuspended }),
  onResize: (to) => {
    terminal.resize(to);
    screen.resize(to);
  },
});
terminal.onOutput((bytes) => screen.feed(bytes));
paceTerminal(terminal, screen);
const ticking = setInterval(() => note({ tick: true, rss: process.memoryUsage.rss() }), 50);
terminal.onExit(async ({ status }) => {
  await screen.settled();
  note({ bytes: screen.bytesSeen, lines: screen.read().lines });
  screen.close();
  await outer.detach();
  clearInterval(ticking);
  process.exitCode = status;
});

const later = (act: () => unknown) => setTimeout(() => void act(), 400);
if (how === 'throw') {
  later(() => {
    throw new Error('a bug');
  });
}
if (how === 'detach') {
  later(async () => {
    await outer.detach();
    process.stdout.write('detached\n');
    await terminal.end();
  });
}
if (how === 'term') later(() => process.kill(process.pid, 'SIGTERM'));
