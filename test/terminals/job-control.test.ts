// Ctrl-Z and `fg` in a person's own shell, which is a real one with job control in a terminal of ours.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Held, holdTerminal } from '../../src/terminals/contract/bench.ts';
import { openPty } from '../../src/terminals/pty/pty.ts';
import { openTmux } from '../../src/terminals/tmux/tmux.ts';
import { bundle } from '../bundle.ts';

const folder = mkdtempSync(join(tmpdir(), 'foreword-job-'));
const AGENT = join(import.meta.dirname, 'suspending.mjs');
const ENV = { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', HOME: folder, PS1: '<prompt>' };
const SIZE = { cols: 80, rows: 24 };
let host = '';

beforeAll(() => {
  host = bundle(join(import.meta.dirname, 'relay-host.ts'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(host);
});

/** A shell in which the agent runs behind the relay. */
async function sitDown(how: string): Promise<Held> {
  const command = ['/bin/bash', '--norc', '--noprofile', '--noediting', '-i'] as const;
  const held = holdTerminal(await openPty({ command: [...command], cwd: folder, env: ENV, size: SIZE }));
  await held.until('<prompt>');
  type(held, 'stty -a | md5sum; echo "[before]"\r');
  await held.until('[before]\r\n');
  type(held, `${process.execPath} ${host} ${join(folder, 'notes')} plain ${process.execPath} ${AGENT} ${how}\r`);
  await held.until('<ready >');
  return held;
}

function type(held: Held, keys: string): void {
  void held.terminal.write(Buffer.from(keys));
}

const sumsIn = (held: Held) =>
  held
    .output()
    .toString('latin1')
    .match(/[0-9a-f]{32} {2}-/g);

describe('Ctrl-Z', () => {
  test.each(['stop', 'signal'])('suspends an agent that suspends itself (%s), and fg brings it back', async (how) => {
    const held = await sitDown(how);
    try {
      type(held, 'a\x1a');
      await held.until('Stopped');
      const words = held.output().toString('latin1');
      expect(words.indexOf('last words')).toBeLessThan(words.indexOf('Stopped'));
      // The terminal is the shell's again, with its settings and without a mode of the agent.
      type(held, 'stty -a | md5sum; echo "[stopped]"\r');
      await held.until('[stopped]\r\n');
      const [before, stopped] = sumsIn(held) ?? [];
      expect(stopped).toBe(before);
      const modes = words.slice(0, words.indexOf('Stopped'));
      expect(modes.lastIndexOf('\x1b[?2004l')).toBeGreaterThan(modes.lastIndexOf('\x1b[?2004h'));
      expect(modes.lastIndexOf('\x1b[?1049l')).toBeGreaterThan(modes.lastIndexOf('\x1b[?1049h'));

      type(held, 'fg\r');
      await held.until(how === 'stop' ? '<resumed a>' : '<drawn a>');
      const after = held.output().toString('latin1').slice(words.length);
      expect(after.lastIndexOf('\x1b[?2004h')).toBeGreaterThan(after.lastIndexOf('\x1b[?2004l'));
      type(held, 'b');
      await held.until('<keys ab>');
      // Once more, and to the end.
      type(held, '\x1a');
      await held.until('Stopped');
      await held.until('<prompt>');
      type(held, 'fg\r');
      type(held, 'c');
      await held.until('<keys abc>');
      type(held, 'q');
      await held.until('<prompt>');
      type(held, 'echo "status $?"; stty -a | md5sum; echo "[after]"\r');
      await held.until('[after]\r\n');
      expect(held.output().toString('latin1')).toContain('status 7');
      expect(sumsIn(held)?.at(-1)).toBe(before);
      // Said before this process stood still, and when it went on.
      const told = readFileSync(join(folder, 'notes'), 'utf8')
        .match(/"isSuspended":(true|false)/g)
        ?.slice(-4);
      expect(told?.map((one) => one.endsWith('true'))).toEqual([true, false, true, false]);
    } finally {
      await held.terminal.end(500);
    }
  });

  test('is a key like any other for an agent that takes it so', async () => {
    const held = await sitDown('never');
    try {
      type(held, 'a\x1ab');
      await held.until('<keys a^Zb>');
      await new Promise((resolve) => setTimeout(resolve, 2500));
      type(held, 'c');
      await held.until('<keys a^Zbc>');
      expect(held.output().toString('latin1')).not.toContain('Stopped');
    } finally {
      await held.terminal.end(500);
    }
  });

  test('in tmux an agent that stops itself goes on at once, as in any pane', async () => {
    const place = { socket: join(folder, 'private', 'tmux'), session: 's1' };
    const command = [process.execPath, AGENT, 'stop'] as const;
    const held = holdTerminal(await openTmux({ command, cwd: folder, env: ENV, size: SIZE }, place));
    try {
      await held.until('<ready >');
      type(held, 'a\x1a');
      await held.until('<resumed a>');
      type(held, 'b');
      await held.until('<keys ab>');
    } finally {
      await held.terminal.end(500);
    }
  });
});
