import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Screen } from '../../src/kernel/screen.ts';
import type { Terminal } from '../../src/kernel/terminal.ts';
import { type Held, hashOf, holdTerminal, SINK } from '../../src/terminals/contract/bench.ts';
import { openPty } from '../../src/terminals/pty/pty.ts';
import { openScreen } from '../../src/terminals/screen/screen.ts';
import { LIMIT_MS, runTmux } from '../../src/terminals/tmux/program.ts';
import { attachCommand, attachTmux, openTmux, personActivity } from '../../src/terminals/tmux/tmux.ts';
import { bundle } from '../bundle.ts';
import { endWithTest } from '../processes/end-with-test.ts';
import { kill, tagged, until } from '../processes/processes.ts';
import { scaled } from '../scale.ts';

const folder = mkdtempSync(join(tmpdir(), 'foreword-tmux-'));
const ENV = { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', TAG: folder };
const SIZE = { cols: 80, rows: 24 };
const start = (...command: [string, ...string[]]) => ({ command, cwd: '/', env: ENV, size: SIZE });
const sink = () => start(process.execPath, '-e', SINK);
const place = { socket: join(folder, 's'), session: 'held' };
const hasTmux = ['/usr/bin/tmux', '/usr/local/bin/tmux', '/opt/homebrew/bin/tmux'].some((path) => existsSync(path));
let program = '';
const open: Terminal[] = [];
const opened = (terminal: Terminal): Held => {
  open.push(terminal);
  return holdTerminal(terminal);
};

beforeAll(() => {
  program = bundle(join(import.meta.dirname, 'hold-terminal.ts'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(program);
});
afterEach(async () => {
  for (const terminal of open.splice(0)) await terminal.end(500);
  await until('nothing is left', () => tagged(`TAG=${folder}`).length === 0);
  expect(readdirSync(folder)).toEqual([]);
});

/** What its output so far puts on a screen. */
async function shownBy(held: Held): Promise<Screen> {
  await until('something was drawn', () => held.output().length > 0);
  const screen = await openScreen(held.terminal.size());
  screen.feed(held.output());
  await screen.settled();
  const seen = screen.read();
  screen.close();
  return seen;
}

/** As soon as it is not refused. */
async function pasteWhenTaken(terminal: Terminal, text: string): Promise<void> {
  const deadline = performance.now() + 5_000;
  for (;;) {
    try {
      return await terminal.paste(text);
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
  }
}

describe.skipIf(!hasTmux)(hasTmux ? 'a session in tmux' : 'a session in tmux, skipped: it is not installed', () => {
  test('lives on when it is let go, and is taken over with what it shows', async () => {
    const first = await openTmux(
      start('/bin/sh', '-c', 'printf "\\033[2mfaint\\033[m and 你好\\r\\n\\033[?2004h> "; stty raw -echo; cat'),
      place,
    );
    const held = holdTerminal(first);
    await held.until('> ');
    await first.write(Buffer.from('draft'));
    await held.until('draft');
    await first.release();
    const again = opened(await attachTmux(place, { hasBracketedPaste: true, pid: first.pid }));
    expect(again.terminal.pid).toBe(first.pid);
    expect((await shownBy(again)).lines.slice(0, 3)).toEqual(['faint and 你好', '> draft', '']);
    expect(await shownBy(again)).toMatchObject({
      solid: expect.arrayContaining(['      and 你好']),
      cursor: { row: 1, col: 7, isVisible: true },
      hasBracketedPaste: true,
    });
    await again.terminal.paste('ed');
    await again.until('\x1b[200~ed\x1b[201~');
  });

  test('survives a kill -9 of its wrapper, and the next one types to the same agent', async () => {
    const script = `exec "${process.execPath}" -e '${SINK.replaceAll("'", "'\\''")}'`;
    const host = endWithTest(
      spawn(process.execPath, [program, 'tmux', folder, script], { stdio: ['ignore', 'pipe', 'inherit'] }),
    );
    const pid = Number(await new Promise((resolve) => host.stdout.once('data', resolve)));
    await until('the agent runs', () => tagged(`TAG=${folder}`).some((seen) => seen.pid === pid));
    kill(host.pid);
    await new Promise((resolve) => host.once('exit', resolve));
    const held = opened(await attachTmux(place, { hasBracketedPaste: true }));
    expect(held.terminal.pid).toBe(pid);
    await held.until('ready');
    const text = 'a text of several words\nand lines '.repeat(1000);
    await held.terminal.paste(text);
    expect(await held.report()).toEqual({ outside: '', hash: hashOf(text), length: text.length });
  });

  test('that is taken over while it writes loses nothing of what follows the screen', async () => {
    const count = "let n = 0; setInterval(() => { for (let k = 0; k < 3; k += 1) console.log('<' + n++ + '>'); }, 1)";
    const first = opened(await openTmux(start(process.execPath, '-e', count), place));
    await first.until('<100>');
    for (let round = 0; round < scaled(300); round += 1) {
      const held = holdTerminal(await attachTmux(place));
      await until('it wrote on', () => held.output().length > 1000);
      await held.terminal.release();
      const seen = [
        ...held
          .output()
          .toString()
          .matchAll(/<(\d+)>/g),
      ].map(([, number]) => Number(number));
      expect(seen).toEqual(seen.map((_, index) => (seen[0] ?? 0) + index));
    }
  });

  test('that ended while nobody looked is handed over with its last words and its status', async () => {
    const first = await openTmux(start('/bin/sh', '-c', 'read x; echo last words; exit 9'), place);
    first.onOutput(() => undefined);
    await first.write(Buffer.from('\r'));
    await first.release();
    await until('the agent ended', () => !existsSync(`/proc/${first.pid}`));
    const held = opened(await attachTmux(place));
    expect(await held.exit).toEqual({ status: 9 });
    expect(held.output().toString()).toContain('last words');
  });

  test('is gone when there is none, or when its agent is another one', async () => {
    await expect(attachTmux(place)).rejects.toMatchObject({ code: 'session-gone' });
    const held = opened(await openTmux(start('/bin/cat'), place));
    await expect(attachTmux(place, { pid: held.terminal.pid + 1 })).rejects.toMatchObject({ code: 'session-gone' });
    await expect(attachTmux({ ...place, session: 'hel' })).rejects.toMatchObject({ code: 'session-gone' });
    await expect(openTmux(start('/bin/cat'), place)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('whose tmux is killed ends as by a hang-up', async () => {
    const held = opened(await openTmux(start('/bin/cat'), place));
    await held.terminal.write(Buffer.from('x\r'));
    await held.until('x');
    const server = tagged(`TAG=${folder}`).find(({ command }) => command.includes('new-session'));
    kill(server?.pid);
    expect(await held.exit).toEqual({ status: 129 });
    await until('the agent is gone', () => tagged(`TAG=${folder}`).length === 0);
  });

  test('is shared with a person, whose terminal decides the size and whose keys are known of', async () => {
    const held = opened(await openTmux(sink(), place));
    await held.until('ready');
    expect(await personActivity(place)).toBeUndefined();
    const sizes: unknown[] = [];
    held.terminal.onResize((size) => sizes.push(size));

    const [command, ...args] = attachCommand(place);
    const person = await openPty({
      command: [command ?? '', ...args],
      cwd: '/',
      env: ENV,
      size: { cols: 61, rows: 17 },
    });
    const view = holdTerminal(person);
    await view.until('ready');
    await until('the size is the person’s', () => held.terminal.size().cols === 61);
    expect(sizes.at(-1)).toEqual({ cols: 61, rows: 17 });

    // To attach is no key; times are in whole seconds.
    expect(await personActivity(place)).toBeUndefined();
    const attachedAt = Date.now();
    await until('another second', () => Date.now() - attachedAt > 1100);
    await person.write(Buffer.from('k\x04'));
    expect(await held.report()).toMatchObject({ outside: '6b04' });
    const at = (await personActivity(place)) ?? 0;
    expect(Date.now() - at).toBeLessThan(3000);

    // A person who scrolls back reads: keys would go to tmux, so nothing is typed.
    await person.write(Buffer.from('\x02['));
    await until('the pane is in copy mode', () => view.output().includes('[0/0]'));
    await expect(held.terminal.paste('words')).rejects.toMatchObject({ code: 'not-typed', bytes: 0 });
    await expect(held.terminal.pressEnter()).rejects.toMatchObject({ code: 'not-typed', bytes: 0 });
    await person.write(Buffer.from('q'));
    await pasteWhenTaken(held.terminal, 'words');
    expect(await held.report()).toEqual({ outside: '', hash: hashOf('words'), length: 5 });

    await person.write(Buffer.from('\x02d'));
    await view.exit;
    expect(await personActivity(place)).toBeUndefined();
    held.terminal.resize({ cols: 100, rows: 30 });
    await until('the size is ours again', () => held.terminal.size().cols === 100);
  });

  test('output while it is paused for long is there when it goes on', async () => {
    const held = opened(
      await openTmux(
        start('/bin/sh', '-c', 'i=0; while [ $i -lt 20000 ]; do echo line number $i; i=$((i+1)); done; read x'),
        place,
      ),
    );
    await held.until('line number 10');
    held.terminal.pause();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    held.terminal.resume();
    await held.until('line number 19999');
    const lines = held
      .output()
      .toString()
      .split('\r\n')
      .filter((line) => line !== '');
    expect(lines).toEqual(Array.from({ length: 20_000 }, (_, index) => `line number ${index}`));
  });
});

test('a tmux that answered while this process was stopped is not taken for one that hangs', async () => {
  const answer = runTmux('/bin/echo', place, { args: ['list-sessions'] });
  // As with SIGSTOP or a laptop asleep: no callback runs, and then every timer is due at once.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LIMIT_MS + 100);
  expect(await answer).toContain('list-sessions');
});
