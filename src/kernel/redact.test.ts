import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hex, letters, SAMPLES } from '../../test/secrets/samples.ts';
import { makeRedactor, REDACTED } from './redact.ts';

const RUNS = { numRuns: process.env.FOREWORD_TEST_LONG === '1' ? 3000 : 300 };
describe('known values', () => {
  const secret = 'p@ss wörd/"1"+x';

  test.each([
    ['plain', secret],
    ['URL', encodeURIComponent(secret)],
    ['URL in small hex', encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
    ['form', encodeURIComponent(secret).replaceAll('%20', '+')],
    ['JSON', JSON.stringify(secret).slice(1, -1)],
    ['base64', Buffer.from(secret).toString('base64')],
    ['base64url', Buffer.from(secret).toString('base64url')],
  ])('are found in the form %s', (_name, form) => {
    expect(makeRedactor([secret])(`a ${form} b`)).toBe(`a ${REDACTED} b`);
  });

  test('are found inside a longer encoded text, at each of the three alignments', () => {
    const value = 'hunter2-hunter2-hunter2';
    const redact = makeRedactor([value]);
    for (const before of ['', 'u', 'us', 'use', 'user:']) {
      for (const encoding of ['base64', 'base64url'] as const) {
        const clean = redact(Buffer.from(`${before}${value}>>?after`).toString(encoding));
        expect(clean).toContain(REDACTED);
        const rest = clean.split(REDACTED).flatMap((piece) => [0, 1, 2, 3].map((at) => piece.slice(at)));
        expect(rest.map((piece) => Buffer.from(piece, 'base64').toString('latin1')).join('|')).not.toContain('hunter2');
      }
    }
  });

  test('lines of a long value are found when they are indented', () => {
    const redact = makeRedactor([`first-line-of-the-value\nsecond-line-of-the-value\n`]);
    expect(redact('  first-line-of-the-value\n  second-line-of-the-value')).toBe(`  ${REDACTED}`);
    expect(redact('a: first-line-of-the-value,\n  b: second-line-of-the-value')).toBe(
      `a: ${REDACTED},\n  b: ${REDACTED}`,
    );
  });

  test('overlapping ones are taken out as one', () => {
    const redact = makeRedactor(['abcdefgh12345678', '12345678zzzzzzzz', 'abcdefgh']);
    expect(redact('<abcdefgh12345678zzzzzzzz>')).toBe(`<${REDACTED}>`);
  });

  test('short ones, and parts of the mark, are ignored', () => {
    const redact = makeRedactor(['short12', 'redacted', '[redacted]', '']);
    expect(redact('short12 was redacted: [redacted]')).toBe('short12 was redacted: [redacted]');
  });

  test('no eight characters of a known value are left, in whatever order and form they occur', () => {
    const value = fc.string({ unit: fc.constantFrom(...'ABCDEFGHIJKLMNOP+/ %"é'), minLength: 8, maxLength: 24 });
    const filler = fc.string({ unit: fc.constantFrom(...'abcdefghij .,:\n[]$&'), maxLength: 12 });
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 4 }),
        fc.array(fc.tuple(filler, fc.nat(3), fc.nat(3)), { minLength: 1, maxLength: 6 }),
        (values, parts) => {
          const text = parts
            .map(([before, which, form]) => before + encode(values[which % values.length] ?? '', form))
            .join('');
          const clean = makeRedactor(values)(text);
          for (const each of values) {
            for (let at = 0; at + 8 <= each.length; at += 1) {
              for (let form = 0; form < 4; form += 1) {
                const canary = encode(each.slice(at, at + 8), form);
                if (form !== 2) expect(clean).not.toContain(canary);
              }
            }
          }
        },
      ),
      RUNS,
    );
  });
});

describe('redaction', () => {
  const atom = fc.oneof(
    fc.constantFrom(
      REDACTED,
      '[redac',
      'ted]',
      'ghp_',
      'eyJ',
      '://',
      ':AA',
      '@',
      '.',
      ' ',
      '-us1',
      'Bearer ',
      '\n',
      '-',
    ),
    fc.constantFrom(letters(20), hex(32), letters(40), '123456789', 'cted]abcd', 'x[redacted]y', 'secret12'),
    fc.string({ maxLength: 10 }),
    fc.constantFrom(...Object.values(SAMPLES).flatMap((samples) => samples.map(([text]) => text))),
  );
  const text = fc.array(atom, { maxLength: 12 }).map((atoms) => atoms.join(''));

  test('is idempotent, also for values that overlap the mark', () => {
    const values = fc.subarray(['cted]abcd', 'x[redacted]y', 'secret12', 'redacted', '[redacted', 'secret12x[reda']);
    fc.assert(
      fc.property(values, fc.array(fc.string({ minLength: 8 }), { maxLength: 3 }), text, (fixed, random, each) => {
        const redact = makeRedactor([...fixed, ...random]);
        const once = redact(each);
        expect(redact(once)).toBe(once);
      }),
      RUNS,
    );
  });

  test('takes any text and any values', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), fc.string({ unit: 'binary' }), (values, each) => {
        expect(typeof makeRedactor(['\ud800'.repeat(8), ...values])(each)).toBe('string');
      }),
      RUNS,
    );
  });
});

function encode(value: string, form: number): string {
  if (form === 1) return encodeURIComponent(value);
  if (form === 2) return Buffer.from(value).toString('base64');
  return form === 3 ? JSON.stringify(value).slice(1, -1) : value;
}
