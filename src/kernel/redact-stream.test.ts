import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { letters, SAMPLES } from '../../test/secrets/samples.ts';
import { makeRedactor, REDACTED } from './redact.ts';
import { redactionStreams } from './redact-stream.ts';

const RUNS = { numRuns: process.env.FOREWORD_TEST_LONG === '1' ? 3000 : 300 };
const VALUES = ['hunter2-Correct/horse+Battery9', 'correcthorsebattery', 'horsebatterystaple', 'zyxwvuts'];
const openStream = redactionStreams(VALUES);

function streamed(pieces: readonly string[]): string {
  const stream = openStream();
  return pieces.map((piece) => stream.push(piece)).join('') + stream.end();
}

/** The text in pieces of the given lengths, over and over. */
function cut(text: string, lengths: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1;
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}

describe('a stream', () => {
  test('returns each line when it has come', () => {
    const stream = openStream();
    expect([stream.push('first\nsec'), stream.push('ond\n'), stream.push('third'), stream.end()]).toEqual([
      'first\n',
      'second\n',
      '',
      'third',
    ]);
  });

  test('redacts a value whatever piece it comes in', () => {
    const text = `a ${VALUES[0]} b\n`;
    for (let at = 0; at <= text.length; at += 1)
      expect(streamed([text.slice(0, at), text.slice(at)])).toBe(`a ${REDACTED} b\n`);
  });

  test('redacts a value that a line break cuts in two', () => {
    const value = VALUES[0] ?? '';
    for (let at = 4; at < value.length; at += 1)
      expect(streamed([`a ${value.slice(0, at)}\n`, `${value.slice(at)} b\n`])).toBe(`a ${REDACTED} b\n`);
    // So little of it at the end of a line is not held back.
    expect(streamed([`a ${value.slice(0, 3)}\n`, `${value.slice(3)} b\n`])).toBe(
      `a ${value.slice(0, 3)}\n${REDACTED} b\n`,
    );
  });

  test('holds the first half of a value back, and returns it when it was none', () => {
    const stream = openStream();
    expect([stream.push('see hunter2-Corr\n'), stream.push('igan\n')]).toEqual(['see ', 'hunter2-Corr\nigan\n']);
  });

  test('redacts a token that a line break cuts in two', () => {
    const token = `ghp_${letters(36)}`;
    for (let at = 1; at < token.length; at += 1) {
      const clean = streamed([`a ${token.slice(0, at)}\n`, `${token.slice(at)} b\n`]);
      expect(clean).toContain(`${REDACTED} b\n`);
      expect(clean.length).toBeLessThanOrEqual(`a ghp_1234567\n${REDACTED} b\n`.length);
    }
  });

  test('redacts a key block that comes line by line', () => {
    const block = SAMPLES['private key block']?.[0]?.[0] ?? '';
    expect(streamed([...`before\n${block}\nafter\n`])).toBe(`before\n${REDACTED}\nafter\n`);
  });

  test('does not tear lines that end like nothing secret', () => {
    const stream = openStream();
    for (const line of ['done\n', 'the key\n', 'a patch\n', 'https://example.org/docs\n', 'src/a/b.ts:12:1\n', 'he\n'])
      expect(stream.push(line)).toBe(line);
  });

  test('keeps its memory bounded, and its time', () => {
    const started = performance.now();
    for (const part of [
      'a',
      'sk-',
      'eyJ',
      '\u200b',
      'ghp_',
      `${letters(70)}\n`,
      `sk-${letters(40)}\n`,
      'hunter2-\n',
      '\n',
    ]) {
      const stream = openStream();
      let [given, returned] = [0, 0];
      for (let turn = 0; turn < 20; turn += 1) {
        const text = part.repeat(Math.ceil(8192 / part.length));
        given += text.length;
        const out = stream.push(text);
        returned += out.length;
        if (!out.includes(REDACTED)) expect(given - returned).toBeLessThan(140_000);
      }
      stream.end();
    }
    expect(performance.now() - started).toBeLessThan(30_000);
  });
});

const piece = fc.oneof(
  fc.constantFrom(...VALUES, ...VALUES.map((value) => Buffer.from(value).toString('base64'))),
  fc.constantFrom(
    ...VALUES.flatMap((value) => [value.slice(0, 5), value.slice(5), value.slice(0, 12), value.slice(12)]),
  ),
  fc.constantFrom(
    '\n',
    '\r\n',
    '\r',
    ' ',
    '  ',
    '\u200b',
    '\u001b[1m',
    '\u001b]0;',
    '\u0007',
    'x\b',
    REDACTED,
    '[redac',
  ),
  fc.constantFrom(...Object.values(SAMPLES).flatMap((samples) => samples.map(([text]) => text))),
  fc.constantFrom('ghp_', 'sk-', '://', '-----BEGIN ', letters(30), 'A'.repeat(700)),
  fc.string({ maxLength: 12, unit: 'binary' }),
);
const text = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));

test('every split of the same text gives the same', () => {
  fc.assert(
    fc.property(text, fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 5 }), (each, lengths) => {
      const whole = streamed([each]);
      expect(streamed(cut(each, lengths))).toBe(whole);
      expect(streamed(cut(each, [1]))).toBe(whole);
    }),
    RUNS,
  );
});

test('many lines at once give the same as each line alone', () => {
  const words = [
    ...[
      'path',
      'src/path/to.ts',
      'compat',
      'patABCDEFGHIJKLMN.',
      'https://',
      'https://example.org/a',
      'u:pass1@host',
      'key-',
      'sk-',
    ],
    ...[
      'ghp_',
      'ghp_12',
      'ghp_123456789',
      letters(36),
      'hunter2-',
      'hunter2-Cor',
      'rect/horse',
      'zyxw',
      'password=',
      'abc123def',
      'login',
      ' ',
      '  ',
    ],
    ...[
      '\u001b[1m',
      '\u200b',
      '│',
      '-----BEGIN',
      'eyJ',
      'a',
      '-us1',
      '0123456789abcdef'.repeat(2),
      REDACTED,
      ...VALUES,
    ],
  ];
  const line = fc
    .tuple(
      fc.array(fc.constantFrom(...words), { maxLength: 4 }),
      fc.constantFrom('', ' '),
      fc.constantFrom('\n', '\r\n'),
    )
    .map(([parts, between, end]) => parts.join(between) + end);
  const filler = fc.nat(6).map((count) => 'an ordinary line of some length, and nothing in it\n'.repeat(count));
  fc.assert(
    fc.property(fc.array(fc.oneof(line, filler), { maxLength: 30 }), fc.integer({ min: 2, max: 9 }), (parts, count) => {
      const lines = parts.flatMap((part) => part.split(/(?<=\n)/));
      const [blocks, single] = [openStream(), openStream()];
      for (let at = 0; at < lines.length; at += count) {
        const some = lines.slice(at, at + count);
        expect(blocks.push(some.join(''))).toBe(some.map((each) => single.push(each)).join(''));
      }
      expect(blocks.end()).toBe(single.end());
    }),
    { numRuns: RUNS.numRuns * 3 },
  );
});

test('every split of a long text gives the same', () => {
  const long = fc.array(
    fc.oneof(piece, fc.constantFrom('b'.repeat(3000), `${letters(60)}\n`.repeat(30), 'w '.repeat(900))),
    {
      minLength: 3,
      maxLength: 12,
    },
  );
  fc.assert(
    fc.property(
      long,
      fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 4 }),
      (pieces, lengths) => {
        const each = pieces.join('');
        expect(streamed(cut(each, lengths))).toBe(streamed([each]));
      },
    ),
    { numRuns: RUNS.numRuns / 5 },
  );
});

test('a text without line breaks in its secrets is redacted as if it came at once', () => {
  const line = fc.array(
    fc.oneof(fc.constantFrom(...VALUES, `ghp_${letters(36)}`), fc.stringMatching(/^[a-f ,;"]{0,12}$/)),
    {
      maxLength: 8,
    },
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
      const each = lines.map((parts) => `- ${parts.join(' ')} .\n`).join('');
      expect(streamed(cut(each, [7]))).toBe(makeRedactor(VALUES)(each));
    }),
    RUNS,
  );
});

test('no eight characters of a known value come through, however it is split', () => {
  const between = fc.constantFrom('', '\n', '\r\n', '\n   ', '\u200b', '\u001b[31m', '\u00ad');
  const secret = fc
    .tuple(fc.constantFrom(...VALUES), fc.array(fc.tuple(fc.nat(40), between), { maxLength: 3 }))
    .map(([value, breaks]) => {
      const at = new Map(breaks.map(([place, what]) => [place % value.length, what]));
      return [...value].map((character, place) => (at.get(place) ?? '') + character).join('');
    });
  const filler = fc.stringMatching(/^[0-9 .,\n]{0,20}$/);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(filler, secret), { maxLength: 5 }),
      fc.integer({ min: 1, max: 60 }),
      (parts, length) => {
        const each = parts.flat().join('');
        const clean = streamed(cut(each, [length]))
          .replaceAll('\u001b[31m', '')
          .replace(/[\s\u200b\u00ad]/g, '');
        for (const value of VALUES)
          for (let at = 0; at + 8 <= value.length; at += 1) expect(clean).not.toContain(value.slice(at, at + 8));
      },
    ),
    RUNS,
  );
});
