import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scaled } from '../../test/scale.ts';
import { trackModes } from './terminal-modes.ts';

function modesAfter(...parts: readonly string[]) {
  const modes = trackModes();
  for (const part of parts) modes.feed(Buffer.from(part, 'latin1'));
  return modes;
}

describe('framed pastes', () => {
  test.each([
    ['', false],
    ['\x1b[?2004h', true],
    ['\x1b[?2004h\x1b[?2004l', false],
    ['\x1b[?25;2004;1h', true],
    ['\x1b[?2004h\x1bc', false],
    ['\x1b[?2004h\x1b[!p', true],
    ['\x1b[2004h', false],
    ['[?2004h', false],
    ['\x1b[?20\x1b[?2004h', true],
    ['\x1b[?20\x1804h', false],
    ['\x1b[?20\n04h', true],
    ['\x1b]0;\x1b[?2004h', true],
    [`\x1b[?${'1;'.repeat(40)}2004h`, false],
    ['\x1b\x1b[?2004h', true],
  ])('after %j are on: %j', (output, isOn) => {
    expect(modesAfter(output).hasBracketedPaste).toBe(isOn);
  });

  test('that were on before count as on until they are switched off', () => {
    const modes = trackModes([2004]);
    expect(modes.hasBracketedPaste).toBe(true);
    modes.feed(Buffer.from('\x1b[?2004l'));
    expect(modes.hasBracketedPaste).toBe(false);
  });
});

describe('taking back', () => {
  test('writes nothing after a program that cleaned up', () => {
    expect(
      modesAfter(
        '\x1b[?1049h\x1b[?25l\x1b[>1u\x1b=\x1b[2 q',
        'text\x1b[31m',
        '\x1b[0 q\x1b>\x1b[<u\x1b[?25h\x1b[?1049l',
      ).undo(),
    ).toBe('');
    expect(modesAfter('\x1b[?25h\x1b[?7h').undo()).toBe('');
  });

  test('switches off what is on and on what is off, and leaves the other screen last', () => {
    expect(modesAfter('\x1b[?1049h\x1b[?2004h\x1b[?25l\x1b[?1003;1006h').undo()).toBe(
      '\x1b[m\x1b[?2004l\x1b[?25h\x1b[?1003l\x1b[?1006l\x1b[?1049l',
    );
    expect(modesAfter('\x1b[>1u\x1b[>3u\x1b[>4;2m\x1b=\x1b[5 q').undo()).toBe('\x1b[m\x1b[<2u\x1b[>4m\x1b>\x1b[0 q');
  });

  test('is the same for every split of the output', () => {
    const piece = fc.constantFrom(
      ...[
        '\x1b[?2004h',
        '\x1b[?2004l',
        '\x1b[?1049h',
        '\x1b[?25l',
        '\x1bc',
        '\x1b[>1u',
        '\x1b[<u',
        '\x1b=',
        '\x1b[4 q',
      ],
      ...['\x1b', '[', '?', '2004', 'h', ';', 'plain text', '\n', '\x18', '\x1b]0;title\x07', '\x1bP1$r\x1b\\', 'é😀'],
    );
    const stream = fc.array(piece, { maxLength: 20 }).map((parts) => Buffer.from(parts.join('')));
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 8 }), (bytes, cuts) => {
        const whole = trackModes();
        whole.feed(bytes);
        const split = trackModes();
        const places = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
        for (const [index, to] of places.entries()) split.feed(bytes.subarray(places[index - 1] ?? 0, to));
        expect(split.undo()).toBe(whole.undo());
        const single = trackModes();
        for (const byte of bytes) single.feed(Uint8Array.of(byte));
        expect(single.undo()).toBe(whole.undo());
      }),
      { numRuns: scaled(5000) },
    );
  });
});

describe('a terminal that was given back for a while', () => {
  test('has the same modes on again, in the order in which they work', () => {
    const on = modesAfter('\x1b[?2004h\x1b[?1049h\x1b[?25l\x1b[>1u\x1b[?1000h\x1b[?1000l');
    expect(on.redo()).toBe('\x1b[?1049h\x1b[?2004h\x1b[?25l\x1b[>1u');
    expect(modesAfter(on.redo()).undo()).toBe(on.undo());
    expect(modesAfter('\x1b[?2004h\x1b[?2004l').redo()).toBe('');
  });

  test('shows how often framed pastes were given up', () => {
    expect(modesAfter('\x1b[?2004l').pastesEnded).toBe(0);
    expect(modesAfter('\x1b[?2004h\x1b[?2004l\x1b[?2004h').pastesEnded).toBe(1);
  });
});
