// A text never becomes keystrokes: random payloads, weighted with what has broken out of paste frames elsewhere, through a
// real PTY and a real tmux into a program that reads pastes as agents do.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { pasteText } from '../../src/kernel/paste-text.ts';
import type { Terminal, TerminalStart } from '../../src/kernel/terminal.ts';
import { hashOf, holdTerminal, SINK } from '../../src/terminals/contract/bench.ts';
import { openPty } from '../../src/terminals/pty/pty.ts';
import { openTmux } from '../../src/terminals/tmux/tmux.ts';
import { IS_LONG, scaled } from '../scale.ts';

const COUNT = scaled(20_000);
/** Side by side: a paste through tmux is mostly waiting for a process to start, which is why Enter is rarer there. */
const SINKS = 4;
const folder = mkdtempSync(join(tmpdir(), 'foreword-payloads-'));
const hasTmux = ['/usr/bin/tmux', '/usr/local/bin/tmux', '/opt/homebrew/bin/tmux'].some((path) => existsSync(path));

afterAll(() => rmSync(folder, { recursive: true }));

const breakout = fc.constantFrom(
  ...[
    '\x1b[201~',
    '\x1b[200~',
    '\x1b',
    '[201~',
    '\x1b[20',
    '1~',
    '\x9b',
    '\x9b201~',
    '\x1b\x1b[201~',
    '\x1b[\x1b[201~201~',
  ],
  ...[
    '\r',
    '\r\n',
    '\n',
    '\0',
    '\x7f',
    '\x03',
    '\x04',
    '\x1a',
    '\x18',
    '\x9c',
    '\u2028',
    '\u202e',
    '\ud83d',
    '\ude00',
    '\ufeff',
  ],
  ...[
    ';',
    '\\;',
    '-t',
    '#{pane_id}',
    '#(touch x)',
    '$(touch x)',
    '`touch x`',
    '%0',
    '{',
    '}',
    '"',
    "'",
    '~',
    'q',
    'Enter',
  ],
);
/** Bytes that are no UTF-8, as a decoder hands them on. */
const decoded = fc.uint8Array({ maxLength: 24 }).map((bytes) => Buffer.from(bytes).toString());
const hostile = fc
  .array(fc.oneof({ weight: 3, arbitrary: breakout }, decoded, fc.string({ unit: 'binary', maxLength: 20 })), {
    maxLength: 10,
  })
  .map((parts) => parts.join(''));

/** Pasted one by one, some followed by Enter. The sink must report one frame with the text in it for each, and nothing but
 *  such an Enter outside. */
async function pasteAll(terminal: Terminal, payloads: readonly string[], enterEvery: number): Promise<number> {
  const held = holdTerminal(terminal);
  await held.until('ready');
  let outside = '';
  for (const [index, payload] of payloads.entries()) {
    const text = pasteText(payload);
    const hasEnter = index % enterEvery === 0;
    await Promise.all([terminal.paste(text), ...(hasEnter ? [terminal.pressEnter()] : [])]);
    const wanted = { outside, hash: hashOf(text), length: Buffer.byteLength(text) };
    expect(await held.report(), JSON.stringify(text)).toEqual(wanted);
    outside = hasEnter ? '0d' : '';
  }
  await terminal.end();
  return payloads.length;
}

const START: TerminalStart = {
  command: [process.execPath, '-e', SINK],
  cwd: '/',
  env: { PATH: process.env.PATH ?? '', TERM: 'xterm-256color' },
  size: { cols: 80, rows: 24 },
};

async function inParallel(enterEvery: number, open: (index: number) => Promise<Terminal>): Promise<number> {
  const seed = IS_LONG ? {} : { seed: 20_261_115 };
  const payloads = fc.sample(hostile, { numRuns: COUNT, ...seed });
  const share = Math.ceil(COUNT / SINKS);
  const counts = Array.from({ length: SINKS }, async (_, index) =>
    pasteAll(await open(index), payloads.slice(index * share, (index + 1) * share), enterEvery),
  );
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

test(`each of ${COUNT} payloads is one paste in a PTY, and Enter stays outside`, async () => {
  expect(await inParallel(1, () => openPty(START))).toBe(COUNT);
});

test.skipIf(!hasTmux)(
  `each of ${COUNT} payloads is one paste in tmux, and Enter stays outside${hasTmux ? '' : ' (skipped: it is not installed)'}`,
  async () => {
    const place = (index: number) => ({ socket: join(folder, `s${index}`), session: `payloads_${index}` });
    expect(await inParallel(10, (index) => openTmux(START, place(index)))).toBe(COUNT);
  },
  // Twenty thousand processes on a machine with other work.
  IS_LONG ? 1_800_000 : 120_000,
);
