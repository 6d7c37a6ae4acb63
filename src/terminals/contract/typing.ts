// What a terminal types to its agent: a text as one paste, Enter by itself, a person's keys as they are; or nothing.

import assert from 'node:assert/strict';
import { isForewordError } from '../../kernel/errors.ts';
import { pasteText } from '../../kernel/paste-text.ts';
import { type Held, hashOf, nodeProgram, SINK, shell, terminalCase, using } from './bench.ts';

/** What has been taken for flags, keys, formats or ends of commands. */
const ODD_TEXTS = [
  ...[
    '-',
    '--',
    '-t',
    '-x foo',
    ';',
    'echo hi;',
    'a \\;',
    '\\',
    '$(touch /tmp/no)',
    '`id`',
    '$HOME',
    '~',
    '!!',
    '"',
    "'",
  ],
  ...[
    '#{pane_id}',
    '#{session_name}#(id)',
    '##',
    '%0',
    '=name:',
    'C-c',
    'Enter',
    '',
    ' ',
    '\n',
    '\n\n',
    '\ttab\t',
    'one\ntwo\n\nthree\n',
  ],
  ...['é你好😀', '\x1b[201~ rm -rf /\r', '\x9b201~', 'a\rb', '\0\x03\x04\x1a', '\ud800'],
];

const enterSink = (pauseMs = 0) => nodeProgram(SINK, String(pauseMs));

export const typingContract = [
  terminalCase('raw mode is seen when it comes and when it goes', (open) =>
    using(
      open,
      shell(
        'printf cooked; read x; stty raw -echo; printf raw; dd bs=1 count=1 2>/dev/null; stty sane; printf again; read x',
      ),
      async ({ terminal, until }) => {
        await until('cooked');
        assert.equal(await terminal.isRaw(), false);
        await terminal.pressEnter();
        await until('raw');
        assert.equal(await terminal.isRaw(), true);
        await terminal.write(Buffer.from('x'));
        await until('again');
        assert.equal(await terminal.isRaw(), false);
      },
    ),
  ),

  ...[0, 3].map((pauseMs) =>
    terminalCase(
      `a paste of 1 byte to 256 KiB arrives whole in one frame, read ${pauseMs === 0 ? 'at once' : 'with pauses'}`,
      (open) =>
        using(open, enterSink(pauseMs), async (held) => {
          await held.until('ready');
          for (const length of [1, 2, 1000, 4095, 4096, 4097, 65_536, 262_144]) {
            const text = sample(length);
            await held.terminal.paste(text);
            assert.deepEqual(await held.report(), { outside: '', hash: hashOf(text), length: Buffer.byteLength(text) });
          }
        }),
    ),
  ),

  terminalCase('whatever a text holds arrives as one frame of exactly that', (open) =>
    using(open, enterSink(), async (held) => {
      await held.until('ready');
      for (const text of ODD_TEXTS.map(pasteText)) {
        await held.terminal.paste(text);
        assert.deepEqual(
          await held.report(),
          { outside: '', hash: hashOf(text), length: Buffer.byteLength(text) },
          text,
        );
      }
    }),
  ),

  terminalCase('Enter comes by itself, outside the frame and after it', (open) =>
    using(open, enterSink(), async (held) => {
      await held.until('ready');
      await held.terminal.paste('words');
      await held.terminal.pressEnter();
      assert.equal((await held.report()).outside, '');
      assert.deepEqual(await outsideOf(held), '0d');
    }),
  ),

  terminalCase('several calls at once are typed in their order', (open) =>
    using(open, enterSink(2), async (held) => {
      await held.until('ready');
      const { terminal } = held;
      const long = sample(100_000);
      await Promise.all([
        terminal.paste(long),
        terminal.write(Buffer.from('a')),
        terminal.paste('b'),
        terminal.pressEnter(),
      ]);
      assert.deepEqual(await held.report(), { outside: '', hash: hashOf(long), length: Buffer.byteLength(long) });
      assert.deepEqual(await held.report(), { outside: '61', hash: hashOf('b'), length: 1 });
      assert.equal(await outsideOf(held), '0d');
    }),
  ),

  terminalCase('a person’s keys arrive as they are', (open) =>
    using(open, enterSink(), async (held) => {
      await held.until('ready');
      const keys = Buffer.from(
        Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => byte !== 4 && byte !== 0x71),
      );
      await held.terminal.write(keys);
      await held.terminal.write(Buffer.from('\x1b[A\x1b[<0;1;1M\x1b[I'));
      assert.equal(
        await outsideOf(held),
        `${keys.toString('hex')}${Buffer.from('\x1b[A\x1b[<0;1;1M\x1b[I').toString('hex')}`,
      );
    }),
  ),

  terminalCase('a text that was not made safe is refused, and nothing of it typed', (open) =>
    using(open, enterSink(), async (held) => {
      await held.until('ready');
      for (const text of ['\x1b[201~x', 'a\rb', '\x9b', 'zero\0', '\u200b', '\ud800'])
        await assertRefused(held.terminal.paste(text));
      assert.equal(await outsideOf(held), '');
    }),
  ),

  terminalCase('a text is refused while the program does not ask for frames', (open) =>
    using(
      open,
      shell(
        'stty raw -echo; printf "begun"; dd bs=1 count=1 2>/dev/null; printf "\\033[?2004hon"; dd bs=1 count=1 2>/dev/null; printf "\\033[?2004loff"; cat -v',
      ),
      async ({ terminal, until, output }) => {
        await until('begun');
        await assertRefused(terminal.paste('too early'));
        await terminal.write(Buffer.from('x'));
        await until('on');
        await terminal.write(Buffer.from('x'));
        await until('off');
        await assertRefused(terminal.paste('too late'));
        await terminal.write(Buffer.from('end'));
        assert.ok(!/too/.test(output().toString()));
      },
    ),
  ),

  terminalCase('nothing can be typed to a program that ended', (open) =>
    using(open, shell('printf "\\033[?2004h"; exit 0'), async ({ terminal, exit }) => {
      await exit;
      await assertRefused(terminal.paste('words'));
      await assertRefused(terminal.pressEnter());
      await assertRefused(terminal.write(Buffer.from('x')));
      assert.equal(await terminal.isRaw(), false);
      terminal.resize({ cols: 40, rows: 10 });
      terminal.pause();
      terminal.resume();
    }),
  ),
];

/** Of text with characters of one to four bytes and line ends; `length` counts bytes, as nearly as they go. */
function sample(length: number): string {
  const unit = 'The quick brown fox – “jumps” over\nthe lazy 狗 😀\t. ';
  const text = unit.repeat(Math.ceil(length / Buffer.byteLength(unit)));
  return Buffer.from(text)
    .subarray(0, length)
    .toString()
    .replace(/\ufffd+$/, '.');
}

/** What came outside of frames since the last report, except the byte that requests the report. */
async function outsideOf(held: Held): Promise<string> {
  await held.terminal.write(Uint8Array.of(4));
  return String((await held.report()).outside).slice(0, -2);
}

async function assertRefused(typing: Promise<void>): Promise<void> {
  await assert.rejects(typing, (error: unknown) => {
    assert.ok(isForewordError(error) && error.code === 'not-typed', String(error));
    assert.equal((error as unknown as { bytes: number }).bytes, 0);
    return true;
  });
}
