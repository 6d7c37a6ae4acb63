import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scaled } from '../../test/scale.ts';
import { frame, isPasteText, pasteText } from './paste-text.ts';

/** Pieces that have broken out of frames elsewhere, whole and in parts that join. */
const PIECES = [
  ...[
    '\x1b[201~',
    '\x1b[200~',
    '\x1b[20',
    '1~',
    '\x1b',
    '[201~',
    '\x9b201~',
    '\x9b',
    '\x1b\x1b[201~',
    '\x1b[2\x1b[201~01~',
  ],
  ...[
    '\r',
    '\r\n',
    '\n',
    '\t',
    '\0',
    '\x7f',
    '\x03',
    '\x04',
    '\x1a',
    '\x18',
    '\u202e',
    '\u200b',
    '\ud800',
    '\udc00',
    '😀',
    'é',
  ],
  ...['touch canary', ' ', ';', '`id`', '$(id)', '#{pane_id}', '-t', ''],
];
const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary' })), { maxLength: 12 })
  .map((parts) => parts.join(''));
/** Any bytes, as a decoder that does not throw would hand them on. */
const decodedBytes = fc.uint8Array({ maxLength: 64 }).map((bytes) => new TextDecoder().decode(bytes));
const anyText = fc.oneof(hostileText, decodedBytes);

describe('a text to be pasted', () => {
  test('shows control characters and ends lines with a newline', () => {
    expect(pasteText('a\x1b[201~\rb\r\nc\td\0\x7f')).toBe('a␛[201~\nb\nc\td␀␡');
    expect(pasteText('\x9b201~ \ud800')).toBe('\ufffd201~ \ufffd');
  });

  test('is left as it is once it was made safe', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const safe = pasteText(text);
        expect(pasteText(safe)).toBe(safe);
        expect(isPasteText(safe)).toBe(true);
        expect(isPasteText(text)).toBe(text === safe);
      }),
      { numRuns: scaled(20_000) },
    );
  });
});

describe('a frame', () => {
  test('has one beginning and one end, the latter last, and nothing in between that a terminal acts on', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const bytes = new TextDecoder('utf-8', { fatal: true }).decode(frame(text));
        expect(bytes.startsWith('\x1b[200~')).toBe(true);
        expect(bytes.endsWith('\x1b[201~')).toBe(true);
        const inside = bytes.slice(6, -6);
        expect(inside).toBe(pasteText(text));
        // biome-ignore lint/suspicious/noControlCharactersInRegex: their absence is the promise
        expect(inside).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
      }),
      { numRuns: scaled(20_000) },
    );
  });

  test('of nothing is a frame', () => {
    expect([...frame('')]).toEqual([...Buffer.from('\x1b[200~\x1b[201~')]);
  });
});
