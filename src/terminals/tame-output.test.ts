import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scaled } from '../../test/scale.ts';
import { tameOutput } from './tame-output.ts';

const size = () => ({ cols: 80, rows: 24 });
const tame = (...parts: readonly string[]) => parts.map(tameOutput(size)).join('');

describe('output', () => {
  test('passes as it is where there is nothing to tame', () => {
    const text = [
      ...[
        'plain \x1b[31mred\x1b[m \x1b[38;2;255;128;0m \x1b[4:3m \x1b[?2004h\x1b[?1049;25l\x1b[>4;2m\x1b[2 q\x1b[!p\x1b[?2026$p',
      ],
      ...[
        '\x1b]0;title\x07\x1b]8;;http://x\x1b\\ \x1bP1$qm\x1b\\ \x1b_x\x1b\\ \u009d2;t\u009c \x1b(0\x1b7\x1bc\x1b=\x1b#8',
      ],
      ...['\x1b[H\x1b[12;40H\x1b[999;999H\x1b[99999999C\x1b[2J\x1b[3L\x1b[10X\x1b[24S é你😀', 'x'.repeat(100_000)],
    ].join('');
    expect(tame(text)).toBe(text);
  });

  test.each([
    ['\x1b]52;c;', '\x07', 4096],
    ['\x1b]0;', '\x1b\\', 4096],
    ['\u009d0;', '\u009c', 4096],
    ['\x1bPq', '\x1b\\', 65_536],
    ['\x1b_G', '\x1b\\', 65_536],
    ['\x1b^', '\x18', 65_536],
  ])('has %j cut short, and what follows its end %j is there', (start, end, most) => {
    const got = tame(`a${start}${'x'.repeat(200_000)}${end}b\x1b[1m`);
    expect(got.startsWith(`a${start}xxx`)).toBe(true);
    expect(got.endsWith(`x${end}b\x1b[1m`)).toBe(true);
    expect(got.length).toBeLessThan(most + 20);
  });

  test('that is a string without an end does not grow', () => {
    const pass = tameOutput(size);
    let length = pass('\x1b]0;').length;
    for (let round = 0; round < 100; round += 1) length += pass('x'.repeat(10_000)).length;
    expect(length).toBeLessThanOrEqual(4096 + 4);
  });

  test.each([
    ['\x1b[99999999L', '\x1b[80L'],
    ['\x1b[500S', '\x1b[80S'],
    ['\x1b[99999999b', '\x1b[1920b'],
    ['\x1b[99999999;5T', '\x1b[80;5T'],
    ['\x1b[100000 @', '\x1b[80 @'],
    ["\x1b[100000'}", "\x1b[80'}"],
    ['\u009b99999999M', '\x1b[80M'],
    ['\x1b[9999\n9999L', '\n\x1b[80L'],
    ['\x1b[9999\x7f9999P', '\x1b[80P'],
    ['\x1b\x1b[99999999@', '\x1b[80@'],
    ['\x1b\r[99999999X', '\r\x1b[80X'],
    ['\x1b\x7f[99999999X', '\x1b[80X'],
    ['\x1b[999\x1b[999Z', '\x1b[80Z'],
    [`\x1b[${'9'.repeat(300)}L.`, '.'],
    ['\x1b[999\x18L', '\x18L'],
  ])('%j becomes %j', (text, tamed) => {
    expect(tame(text)).toBe(tamed);
    expect(tame(...text)).toBe(tamed);
  });

  test('is tamed alike in all portions', () => {
    const piece = fc.constantFrom(
      ...[
        '\x1b',
        '[',
        ']',
        'P',
        '_',
        '0;',
        '\x07',
        '\x1b\\',
        '\u009d',
        '\u009c',
        '\u0090',
        '\u009b',
        '\x18',
        '\n',
        '\x7f',
      ],
      ...['99999999', 'L', 'b', ' @', '[31m', '\x1b[?2004h', '\x1b[200S', 'text', '\x1b]0;', 'é'],
      ...['y'.repeat(5000), 'z'.repeat(70_000)],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), fc.array(fc.nat(), { maxLength: 6 }), (pieces, cuts) => {
        const text = pieces.join('');
        const ends = [...cuts.map((cut) => cut % (text.length + 1)), text.length].sort((a, b) => a - b);
        expect(tame(...ends.map((to, index) => text.slice(ends[index - 1] ?? 0, to)))).toBe(tame(text));
      }),
      { numRuns: scaled(3000) },
    );
  });
});
