// Secrets with something inside that a reader does not see, or in a form that a log may have.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { letters, SAMPLES } from '../../test/secrets/samples.ts';
import { hasSequences, withoutBreaks, withoutHidden } from './condensed-text.ts';
import { makeRedactor, REDACTED } from './redact.ts';

const RUNS = { numRuns: process.env.FOREWORD_TEST_LONG === '1' ? 3000 : 300 };
const VALUE = 'hunter2-Correct/horse+Battery9';

const HIDDEN: Record<string, string> = {
  'a zero-width space': '\u200b',
  'a zero-width joiner': '\u200d',
  'a word joiner': '\u2060',
  'a byte order mark': '\ufeff',
  'a soft hyphen': '\u00ad',
  'a bidi mark': '\u202e',
  'a variation selector': '\ufe0f',
  'a tag character': '\u{e0041}',
  'a null byte': '\0',
  'a bell': '\u0007',
  'a backspace': '\b',
  'a character and a backspace': 'X\b',
  'two characters and two backspaces': 'XY\b\b',
  'a colour': '\u001b[1;31m',
  'a colour in one byte': '\u009b0m',
  'a window title': '\u001b]0;some title\u0007',
  'a link': '\u001b]8;;https://example.org\u001b\\',
  'a charset switch': '\u001b(B',
  'a cursor move': '\u001b[2;5H',
  'a line break': '\n',
  'a DOS line break': '\r\n',
  'a line break with an indent': '  \n    ',
  'a frame': ' │\n│ ',
  'the picture of a control character': '\u2400',
  'a replacement character': '\ufffd',
};

describe.each(Object.entries(HIDDEN))('%s inside of a secret', (_name, hidden) => {
  test('does not hide a known value, wherever it is', () => {
    const redact = makeRedactor([VALUE]);
    for (let at = 1; at < VALUE.length; at += 1)
      expect(redact(`a ${VALUE.slice(0, at)}${hidden}${VALUE.slice(at)} b`)).toBe(`a ${REDACTED} b`);
  });

  test('does not hide a token', () => {
    const redact = makeRedactor([]);
    const token = `ghp_${letters(36)}`;
    for (let at = 1; at < token.length; at += 1)
      expect(redact(`a ${token.slice(0, at)}${hidden}${token.slice(at)} b`)).toBe(`a ${REDACTED} b`);
  });

  test('leaves nothing of a known value when it comes after every character', () => {
    const spread = [...VALUE].join(hidden);
    expect(makeRedactor([VALUE])(`a ${spread} b`)).toBe(`a ${REDACTED} b`);
  });
});

test.each(Object.keys(SAMPLES).filter((name) => (SAMPLES[name] ?? []).every(([, left]) => left === REDACTED)))(
  'a coloured, invisibly split %s is removed',
  (name) => {
    const redact = makeRedactor([]);
    for (const [text] of SAMPLES[name] ?? []) {
      const middle = Math.ceil(text.length / 2);
      for (const hidden of ['\u200b', '\u001b[31m', '\u00ad'])
        expect(redact(`see ${text.slice(0, middle)}${hidden}${text.slice(middle)} there`)).toBe(
          `see ${REDACTED} there`,
        );
    }
  },
);

test('a value inside of an escape sequence is found as well', () => {
  const redact = makeRedactor([VALUE, '1234567890123']);
  expect(redact(`\u001b]0;${VALUE}\u0007`)).toBe(`\u001b]0;${REDACTED}\u0007`);
  expect(redact('\u001b[1234567890123m')).toBe(`\u001b[${REDACTED}m`);
  expect(redact(`\u001b]8;;https://me:${letters(12)}@host/\u0007text`)).toBe(
    `\u001b]8;;https://${REDACTED}@host/\u0007text`,
  );
});

test('a token next to an escape sequence is a word of its own', () => {
  const token = `AKIA${letters(16).toUpperCase()}`;
  expect(makeRedactor([])(`key\u001b[1m${token}\u001b[0m.`)).toBe(`key\u001b[1m${REDACTED}\u001b[0m.`);
});

test('a token at the end of a line does not take the next line with it', () => {
  const token = `ghp_${letters(36)}`;
  expect(makeRedactor([])(`TOKEN=${token}\nNEXT=1`)).toBe(`TOKEN=${REDACTED}\nNEXT=1`);
});

test.each([
  ['hex', Buffer.from(VALUE).toString('hex')],
  ['hex in capitals', Buffer.from(VALUE).toString('hex').toUpperCase()],
  ['hex with blanks', (Buffer.from(VALUE).toString('hex').match(/../g) ?? []).join(' ')],
  ['reversed', [...VALUE].reverse().join('')],
  ['JSON in JSON', JSON.stringify(JSON.stringify(VALUE)).slice(3, -3)],
])('a known value is found in the form %s', (_name, form) => {
  expect(makeRedactor([VALUE])(`a ${form} b`)).toBe(`a ${REDACTED} b`);
});

test.each([
  ['HTML', `Tom &amp; &lt;Jerry&gt; &quot;it&#39;s&quot;`],
  ['a shell', `Tom & <Jerry> "it'\\''s"`],
])('a known value with special characters is found as %s writes it', (_name, form) => {
  expect(makeRedactor([`Tom & <Jerry> "it's"`])(`a ${form} b`)).toBe(`a ${REDACTED} b`);
});

test('whatever is left out of a text, the rest is where it says', () => {
  const part = fc.oneof(fc.constantFrom(...Object.values(HIDDEN), ' ', '│', '\r'), fc.string({ maxLength: 4 }));
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 20 }),
      fc.constantFrom('seen' as const, 'all' as const),
      (parts, reading) => {
        const text = parts.join('');
        for (const [short, long] of [
          [withoutHidden(text, reading), text],
          [withoutBreaks(text), text],
        ] as const) {
          for (let at = 0; at < short.text.length; at += 1) {
            expect(long[short.from(at)]).toBe(short.text[at]);
            expect(short.to(short.from(at))).toBe(at);
          }
          if (!hasSequences(text) && reading === 'seen')
            expect(withoutHidden(short.text, reading).text.length).toBeLessThanOrEqual(short.text.length);
        }
      },
    ),
    RUNS,
  );
});

test('the time grows with the length only, whatever is hidden in the text', () => {
  const redact = makeRedactor([VALUE]);
  for (const part of [
    ...Object.values(HIDDEN),
    '\u001b]',
    '\u001b[1',
    '\u001b',
    'a\b',
    '\b',
    '\u001bP\u001b',
    ' ',
    '│',
    '\r',
  ]) {
    const started = performance.now();
    redact(part.repeat(Math.ceil(200_000 / part.length)));
    expect({ part, isSlow: performance.now() - started > 1500 }).toEqual({ part, isSlow: false });
  }
});
