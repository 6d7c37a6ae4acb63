import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scaled } from '../../../test/scale.ts';
import { paneSize, quoteWord, readControlLines, unescapeOctal } from './lines.ts';

/** As tmux writes it (control.c). */
function escapeOctal(bytes: Uint8Array): Buffer {
  return Buffer.concat(
    [...bytes].map((byte) =>
      byte < 0x20 || byte === 0x5c ? Buffer.from(`\\${byte.toString(8).padStart(3, '0')}`) : Buffer.of(byte),
    ),
  );
}

describe('control mode', () => {
  test('output, replies and notices are separated', () => {
    const printed = [
      '%begin 1 2 0',
      '%end 1 2 0',
      '%session-changed $0 name',
      '%output %0 a\\015\\012b\\134c',
      '%begin 3 4 1',
      'one',
      '%end 1 2 0',
      '%output %0 not output',
      '%end 3 4 1',
      '%begin 5 6 1',
      'no such pane',
      '%error 5 6 1',
      '%layout-change @0 a29d,90x20,0,0,0 a29d,90x20,0,0,0 *',
      'noise',
      '',
    ].join('\n');
    const lines = readControlLines().read(Buffer.from(printed));
    expect(
      lines.map((line) =>
        line.kind === 'output'
          ? { ...line, bytes: Buffer.from(line.bytes).toString() }
          : line.kind === 'reply'
            ? { ...line, lines: line.lines.map((one) => Buffer.from(one).toString()) }
            : line,
      ),
    ).toEqual([
      { kind: 'reply', isError: false, lines: [] },
      { kind: 'notice', name: 'session-changed', rest: '$0 name' },
      { kind: 'output', pane: '%0', bytes: 'a\r\nb\\c' },
      { kind: 'reply', isError: false, lines: ['one', '%end 1 2 0', '%output %0 not output'] },
      { kind: 'reply', isError: true, lines: ['no such pane'] },
      { kind: 'notice', name: 'layout-change', rest: '@0 a29d,90x20,0,0,0 a29d,90x20,0,0,0 *' },
    ]);
  });

  test('output comes back byte for byte, in whatever portions it arrives', () => {
    const chunk = fc.uint8Array({ minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 8 }), fc.array(fc.nat(), { maxLength: 10 }), (chunks, cuts) => {
        const stream = Buffer.concat(
          chunks.map((bytes) => Buffer.concat([Buffer.from('%output %3 '), escapeOctal(bytes), Buffer.from('\n')])),
        );
        const ends = [...cuts.map((cut) => cut % (stream.length + 1)), stream.length].sort((a, b) => a - b);
        const reader = readControlLines();
        const lines = ends.flatMap((to, index) => reader.read(stream.subarray(ends[index - 1] ?? 0, to)));
        expect(lines.map((line) => line.kind === 'output' && [line.pane, ...line.bytes])).toEqual(
          chunks.map((bytes) => ['%3', ...bytes]),
        );
      }),
      { numRuns: scaled(5000) },
    );
  });

  test('octal is undone', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect([...unescapeOctal(escapeOctal(bytes))]).toEqual([...bytes]);
      }),
    );
  });

  test('a word is quoted so that tmux interprets nothing in it', () => {
    expect(quoteWord('')).toBe('""');
    expect(quoteWord('/usr/bin/env')).toBe('"/usr/bin/env"');
    expect(quoteWord('a b;"$x\'\\#{y}\n~é')).toBe(
      '"a\\040b\\073\\042\\044x\\047\\134\\043\\173y\\175\\012\\176\\303\\251"',
    );
  });

  test('the size of a pane is read from the layout, alone or beside others', () => {
    expect(paneSize('@0 a29d,90x20,0,0,0 a29d,90x20,0,0,0 *', '%0')).toEqual({ cols: 90, rows: 20 });
    const split = '@0 1234,90x20,0,0{45x20,0,0,0,44x20,46,0[44x10,46,0,12,44x9,46,11,13]}';
    expect(paneSize(split, '%0')).toEqual({ cols: 45, rows: 20 });
    expect(paneSize(split, '%12')).toEqual({ cols: 44, rows: 10 });
    expect(paneSize(split, '%13')).toEqual({ cols: 44, rows: 9 });
    expect(paneSize(split, '%1')).toBeUndefined();
    expect(paneSize('nonsense', '%0')).toBeUndefined();
  });
});
