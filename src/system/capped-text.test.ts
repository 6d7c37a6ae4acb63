import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Cap, collectText, keptRanges, placesFor, strayBytes, unfinishedBytes } from './capped-text.ts';

const RUNS = { numRuns: process.env.FOREWORD_TEST_LONG === '1' ? 3000 : 300 };
const CAP: Cap = { firstBytes: 8, lastBytes: 16 };
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function collected(chunks: readonly Uint8Array[], cap: Cap = CAP) {
  const text = collectText(cap);
  for (const chunk of chunks) text.add(chunk);
  return text.end();
}

function splitAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const edges = [0, ...places.map((place) => place % (bytes.length + 1)).sort((one, other) => one - other)];
  return edges.map((edge, index) => bytes.subarray(edge, edges[index + 1] ?? bytes.length));
}

/** Valid text, broken text and plain noise, mixed. */
const anyBytes = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }).map(bytesOf),
      fc.uint8Array({ maxLength: 12 }),
      fc.constantFrom('é', '你好', '😀', '\uFEFF').map(bytesOf),
    ),
    { maxLength: 12 },
  )
  .map((parts) => Uint8Array.from(parts.flatMap((part) => [...part])));

describe('collectText', () => {
  test('keeps a text that fits as it is, a byte order mark included', () => {
    expect(collected([bytesOf('\uFEFFé你好😀')])).toEqual({ text: '\uFEFFé你好😀', bytes: 15 });
    expect(collected([])).toEqual({ text: '', bytes: 0 });
  });

  test('keeps the beginning and the end of a text that does not, and names how many bytes are missing', () => {
    expect(collected([bytesOf(`12345678${'x'.repeat(1000)}abcdefghijklmnop`)])).toEqual({
      text: '12345678\n[… 1000 bytes left out …]\nabcdefghijklmnop',
      bytes: 1024,
    });
  });

  test('never cuts inside a character: what a cut would break is counted as missing', () => {
    expect(collected([bytesOf('1234567😀'), bytesOf('x'.repeat(100)), bytesOf('😀abcdefghijklm')])).toEqual({
      text: '1234567\n[… 108 bytes left out …]\nabcdefghijklm',
      bytes: 128,
    });
  });

  test('a chunk larger than everything that is kept is cut like a small one', () => {
    const large = bytesOf(`begin${'-'.repeat(5000)}end`);
    expect(collected([large])).toEqual(collected(splitAt(large, [1, 7, 23, 24, 25, 2000])));
  });

  test('keeps nothing of the end, or of the beginning, when its share is nothing', () => {
    expect(collected([bytesOf('abcdef')], { firstBytes: 2, lastBytes: 0 }).text).toBe('ab\n[… 4 bytes left out …]\n');
    expect(collected([bytesOf('abcdef')], { firstBytes: 0, lastBytes: 2 }).text).toBe('\n[… 4 bytes left out …]\nef');
  });

  test('é你好😀 reads the same whichever byte it is split at', () => {
    const bytes = bytesOf('é你好😀');
    for (let place = 0; place <= bytes.length; place++)
      expect(collected(splitAt(bytes, [place]))).toEqual({ text: 'é你好😀', bytes: 12 });
  });

  test('any bytes, cut or not, read the same for every split', () => {
    fc.assert(
      fc.property(anyBytes, fc.array(fc.nat(), { maxLength: 20 }), (bytes, places) => {
        const whole = collected([bytes]);
        expect(collected(splitAt(bytes, places))).toEqual(whole);
        expect(collected([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
        expect(whole.bytes).toBe(bytes.length);
      }),
      RUNS,
    );
  });

  test('valid text is never given a broken character by the cut, and the counts add up', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 10, maxLength: 60 }), (text) => {
        const clean = text.toWellFormed().replaceAll('\uFFFD', '?');
        const { text: result, bytes } = collected([bytesOf(clean)]);
        expect(result).not.toContain('\uFFFD');
        expect(bytes).toBe(bytesOf(clean).length);
        const cut = /\n\[… (\d+) bytes left out …\]\n/.exec(result);
        if (cut === null) {
          expect(result).toBe(clean);
          return;
        }
        expect(bytesOf(result).length - bytesOf(cut[0]).length + Number(cut[1])).toBe(bytes);
        expect(clean.startsWith(result.slice(0, cut.index))).toBe(true);
        expect(clean.endsWith(result.slice(cut.index + cut[0].length))).toBe(true);
      }),
      RUNS,
    );
  });
});

describe('the plan of the space', () => {
  test('holds the first and the last bytes, in order, for every cap and every split', () => {
    const sizes = fc.record({ firstBytes: fc.nat(9), lastBytes: fc.nat(9) });
    fc.assert(
      fc.property(sizes, fc.array(fc.nat(40), { maxLength: 12 }), (cap, lengths) => {
        const space: number[] = [];
        let count = 0;
        for (const length of lengths) {
          for (const { from, to, at } of placesFor(cap, count, length))
            for (let index = from; index < to; index++) space[at + index - from] = count + index;
          count += length;
        }
        const { head, tail } = keptRanges(cap, count);
        const all = Array.from({ length: count }, (_, index) => index);
        const size = cap.firstBytes + cap.lastBytes;
        const last = cap.lastBytes === 0 ? [] : all.slice(-cap.lastBytes);
        expect([head, ...tail].flatMap(({ from, to }) => space.slice(from, to))).toEqual(
          count <= size ? all : [...all.slice(0, cap.firstBytes), ...last],
        );
      }),
      RUNS,
    );
  });

  test('knows the unfinished end and the stray beginning of every cut through a character', () => {
    const bytes = bytesOf('aé你😀');
    const ends = Array.from({ length: bytes.length + 1 }, (_, cut) => unfinishedBytes(bytes.subarray(0, cut)));
    const begins = Array.from({ length: bytes.length + 1 }, (_, cut) => strayBytes(bytes.subarray(cut)));
    expect(ends).toEqual([0, 0, 1, 0, 1, 2, 0, 1, 2, 3, 0]);
    expect(begins).toEqual([0, 0, 1, 0, 2, 1, 0, 3, 2, 1, 0]);
  });
});
