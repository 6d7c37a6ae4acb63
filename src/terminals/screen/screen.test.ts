import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scaled } from '../../../test/scale.ts';
import type { Screen } from '../../kernel/screen.ts';
import { openScreen } from './screen.ts';

const SIZE = { cols: 20, rows: 4 };

async function shown(output: string | Uint8Array, size = SIZE): Promise<Screen> {
  return shownSplit([typeof output === 'string' ? Buffer.from(output) : output], size);
}

async function shownSplit(portions: readonly Uint8Array[], size = SIZE): Promise<Screen> {
  const screen = await openScreen(size);
  for (const portion of portions) screen.feed(portion);
  await screen.settled();
  const seen = screen.read();
  screen.close();
  return seen;
}

describe('a screen', () => {
  test('shows rows without the blanks at their ends, the cursor and the title', async () => {
    expect(await shown('\x1b]2;work\x07one\r\n  two  \x1b[3;5Hx')).toEqual({
      cols: 20,
      rows: 4,
      lines: ['one', '  two', '    x', ''],
      solid: ['one', '  two', '    x', ''],
      cursor: { row: 2, col: 5, isVisible: true },
      hasBracketedPaste: false,
      isAlternate: false,
      title: 'work',
    });
  });

  test('blanks what is drawn faint, wide characters over both cells', async () => {
    const { lines, solid } = await shown('> a\x1b[2mghost 你\x1b[22mb\r\n\x1b[2mall\x1b[m\r\n\x1b[1;2mx\x1b[0my');
    expect(lines).toEqual(['> aghost 你b', 'all', 'xy', '']);
    expect(solid).toEqual(['> a        b', '', ' y', '']);
  });

  test('knows framed pastes, the other screen and a hidden cursor, and their end', async () => {
    const on = await shown('\x1b[?1049h\x1b[?25l\x1b[?2004h');
    expect([on.hasBracketedPaste, on.isAlternate, on.cursor.isVisible]).toEqual([true, true, false]);
    const off = await shown('\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[?2004l\x1b[?25h\x1b[?1049l');
    expect([off.hasBracketedPaste, off.isAlternate, off.cursor.isVisible]).toEqual([false, false, true]);
    const reset = await shown('\x1b[?25l\x1b[?2004h\x1bc');
    expect([reset.hasBracketedPaste, reset.cursor.isVisible]).toEqual([false, true]);
  });

  test('gives emoji and East Asian characters two cells, marks none', async () => {
    const { lines, cursor } = await shown('😀你e\u0301✅|');
    expect(lines[0]).toBe('😀你e\u0301✅|');
    expect(cursor.col).toBe(8);
    expect((await shown('😀\x1b[1;3Hx')).lines[0]).toBe('😀x');
  });

  test('shows the last whole frame while a program draws the next one', async () => {
    const screen = await openScreen(SIZE);
    screen.feed(Buffer.from('old\x1b[?2026h\x1b[2J\x1b[Hne'));
    await screen.settled();
    expect(screen.read().lines[0]).toBe('old');
    screen.feed(Buffer.from('w\x1b[?2026l'));
    await screen.settled();
    expect(screen.read().lines[0]).toBe('new');
    screen.close();
  });

  test('takes a new size in its place among the output', async () => {
    const screen = await openScreen(SIZE);
    screen.feed(Buffer.from('a'.repeat(20)));
    screen.resize({ cols: 30, rows: 5 });
    screen.feed(Buffer.from('\r\nb'.repeat(3)));
    await screen.settled();
    expect(screen.read()).toMatchObject({ cols: 30, rows: 5, lines: ['a'.repeat(20), 'b', 'b', 'b', ''] });
    screen.close();
  });

  test('a query gets its reply through `answers`, and no reply without it', async () => {
    const questions = '\x1b[c\x1b[6n\x1b]11;?\x07\x1b[?2026$p';
    const said: string[] = [];
    const screen = await openScreen(SIZE, { answers: (bytes) => said.push(Buffer.from(bytes).toString()) });
    screen.feed(Buffer.from(questions));
    await screen.settled();
    screen.close();
    expect(said).toEqual(['\x1b[?1;2c', '\x1b[1;1R', '\x1b]11;rgb:0000/0000/0000\x1b\\', '\x1b[?2026;2$y']);
    expect((await shown(questions)).lines.join('')).toBe('');
  });

  test('reading, feeding and waiting after the end do no harm', async () => {
    const screen = await openScreen(SIZE);
    screen.feed(Buffer.from('x'));
    const waiting = screen.settled();
    screen.close();
    await waiting;
    screen.feed(Buffer.from('y'));
    screen.resize(SIZE);
    await screen.settled();
    screen.close();
    expect(screen.read()).toMatchObject({ rows: 4, lines: ['', '', '', ''] });
  });
});

describe('portions', () => {
  test('a character cut after any of its bytes is whole', async () => {
    const bytes = Buffer.from('“é你😀…”\ufeff|');
    const whole = await shown(bytes);
    expect(whole.lines[0]).toBe('“é你😀…”|');
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(await shownSplit([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(whole);
    }
  });

  test('invalid bytes show as U+FFFD and never throw', async () => {
    expect((await shown(Buffer.from([0x61, 0xff, 0x62, 0xc3, 0x28, 0x9b, 0x63]))).lines[0]).toBe(
      'a\ufffdb\ufffd(\ufffdc',
    );
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        expect((await shown(bytes)).lines).toHaveLength(SIZE.rows);
      }),
      { numRuns: scaled(2000) },
    );
  });

  test('any split of any output gives the same screen', async () => {
    const piece = fc.oneof(
      fc
        .constantFrom(
          ...[
            '\x1b[31m',
            '\x1b[2m',
            '\x1b[m',
            '\x1b[2J',
            '\x1b[H',
            '\x1b[3;7H',
            '\x1b[K',
            '\x1b[1A',
            '\x1b[5C',
            '\x1b[L',
            '\x1b[2P',
          ],
          ...[
            '\x1b[?1049h',
            '\x1b[?1049l',
            '\x1b[?2004h',
            '\x1b[?25l',
            '\x1b[?2026h',
            '\x1b[?2026l',
            '\x1b7',
            '\x1b8',
            '\x1b(0',
            '\x1b(B',
          ],
          ...[
            '\x1b]0;title\x07',
            '\x1b]2;t\x1b\\',
            '\x1b]8;;http://x\x07',
            '\x1bP1$qm\x1b\\',
            '\x1b_G\x1b\\',
            '\x1bc',
            '\x1b[!p',
            '\x1b[4b',
          ],
          ...[
            '\r\n',
            '\n',
            '\r',
            '\t',
            '\b',
            'plain',
            '“quoted…”',
            '你好',
            '😀👍🏽',
            'e\u0301\u0301',
            '\u009b31m',
            '\u009d0;t\u009c',
            '\x1b',
          ],
        )
        .map((text) => new Uint8Array(Buffer.from(text))),
      fc.uint8Array({ maxLength: 6 }),
    );
    const stream = fc.array(piece, { maxLength: 30 }).map((pieces) => Buffer.concat(pieces));
    await fc.assert(
      fc.asyncProperty(stream, fc.array(fc.nat(), { maxLength: 10 }), async (bytes, cuts) => {
        const whole = await shown(bytes);
        const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
        const portions = ends.map((to, index) => bytes.subarray(ends[index - 1] ?? 0, to));
        expect(await shownSplit(portions)).toEqual(whole);
        expect(await shownSplit([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
      }),
      { numRuns: scaled(2000) },
    );
  });
});
