import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asciiJson, countUnsafe, oneLine, safeText } from './safe-text.ts';

const RUNS = { numRuns: process.env.FOREWORD_TEST_LONG === '1' ? 3000 : 300 };
const anyText = fc.string({ unit: 'binary', maxLength: 200 });

/** The rule in words, one code point at a time, with no regular expression over ranges. */
function expected(code: number): string {
  const character = String.fromCodePoint(code);
  if (code === 0x09 || code === 0x0a) return character;
  if (code === 0x0d) return '\n';
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  const isHidden =
    (code >= 0x80 && code <= 0x9f) ||
    code === 0x2028 ||
    code === 0x2029 ||
    (code >= 0xfff9 && code <= 0xfffb) ||
    (code >= 0xd800 && code <= 0xdfff) ||
    /^\p{Default_Ignorable_Code_Point}$/u.test(character);
  return isHidden ? '\ufffd' : character;
}

describe('safeText', () => {
  test('each of the 0x110000 code points follows the rule, and does not change again', () => {
    const wrong: string[] = [];
    for (let code = 0; code < 0x110000; code += 1) {
      const safe = safeText(`a${String.fromCodePoint(code)}b`);
      if (safe !== `a${expected(code)}b` || safeText(safe) !== safe) wrong.push(code.toString(16));
    }
    expect(wrong).toEqual([]);
  });

  test('bidi, zero-width, tag and variation characters are all made visible', () => {
    const hidden = ['\u202e', '\u2066', '\u200b', '\u200d', '\u00ad', '\ufeff', '\u{e0041}', '\u{e01ef}', '\ufe0f'];
    expect(hidden.map(safeText)).toEqual(hidden.map(() => '\ufffd'));
  });

  test('the parts of an emoji stay joined, and the same characters elsewhere are made visible', () => {
    const whole = ['👩‍👩‍👧‍👦', '❤️', '1️⃣', '🧑🏽‍💻', '🏳️‍🌈', '👍🏽'];
    expect(whole.map(safeText)).toEqual(whole);
    expect(whole.map(countUnsafe)).toEqual(whole.map(() => 0));
    expect(safeText('a\u200d👩')).toBe('a\ufffd👩');
    expect(safeText('👩\u200db')).toBe('👩\ufffdb');
    expect(safeText('❤\ufe0f\ufe0f')).toBe('❤\ufe0f\ufffd');
    expect(safeText('1\ufe0f')).toBe('1\ufffd');
  });

  test('the end of a bracketed paste cannot be written', () => {
    expect(safeText('a\u001b[201~\rtouch x\r\u009b201~')).toBe('a\u241b[201~\ntouch x\n\ufffd201~');
  });

  test('CRLF is one newline, CR another', () => {
    expect(safeText('a\r\nb\rc\r\r\nd\n')).toBe('a\nb\nc\n\nd\n');
  });

  test('a plain text is returned unchanged', () => {
    expect(safeText('const a = 1;\n\treturn "x";\n')).toBe('const a = 1;\n\treturn "x";\n');
    expect(safeText('naïve — 日本語 😀')).toBe('naïve — 日本語 😀');
  });

  test('is idempotent, keeps the number of code points, and leaves nothing to count', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map(unit) })), (text) => {
        const safe = safeText(text);
        expect(safeText(safe)).toBe(safe);
        expect([...safe].length).toBe([...text.replaceAll('\r\n', '\n')].length);
        expect(countUnsafe(safe)).toBe(0);
        expect(safe).not.toMatch(/\p{Cs}/u);
      }),
      RUNS,
    );
  });

  test('counts what it would replace, line ends aside', () => {
    expect(countUnsafe('plain\r\ntext\n')).toBe(0);
    expect(countUnsafe('a\u0000b\u202ec\u{e0041}d\re\ud800')).toBe(5);
  });
});

describe('oneLine', () => {
  test('folds white space and trims', () => {
    expect(oneLine('  a\r\n\tb \u00a0 c\n', 100)).toBe('a b c');
  });

  test('shortens in the middle', () => {
    expect(oneLine('src/some/very/long/path/to/a/file.ts', 20)).toBe('src/some/.../file.ts');
    expect(oneLine('abcdef', 5)).toBe('a...f');
    expect([oneLine('abcdef', 3), oneLine('abcdef', 0), oneLine('abcdef', Number.NaN)]).toEqual(['abc', '', '']);
  });

  test('is one safe line within its bound, for every text and bound', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 0, max: 60 }), (text, max) => {
        const line = oneLine(text, max);
        expect(line.length).toBeLessThanOrEqual(max);
        expect(line).not.toMatch(/[\n\t]| {2}/);
        expect(line).not.toMatch(/\p{Cs}/u);
        expect(countUnsafe(line)).toBe(0);
      }),
      RUNS,
    );
  });
});

describe('asciiJson', () => {
  test('escapes everything outside printable ASCII', () => {
    expect(asciiJson({ a: 'é\u202e😀\u007f\n' })).toBe('{"a":"\\u00e9\\u202e\\ud83d\\ude00\\u007f\\n"}');
    expect(asciiJson(undefined)).toBe('null');
  });

  test('parses back to the very same value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.integer({ min: 0, max: 4 }), (value, indent) => {
        const json = asciiJson(value, indent);
        expect(json).toMatch(/^[\n\x20-\x7e]*$/);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      RUNS,
    );
  });
});

function unit(code: number): string {
  return String.fromCharCode(code);
}
