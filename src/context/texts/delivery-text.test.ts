import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scaled } from '../../../test/scale.ts';
import { makeCode, matchesAck, squeezed } from '../../sessions/acknowledgement.ts';
import { freeCode, typedText } from './delivery-text.ts';

/** Gives these bytes, one after the other. */
const dice = (...throws: readonly Uint8Array[]) => {
  let next = 0;
  return () => throws[next++] ?? new Uint8Array(8);
};
const FIRST = Uint8Array.of(0, 5, 0, 22, 0, 28, 0, 2);
const SECOND = Uint8Array.of(0, 6, 0, 23, 0, 29, 0, 3);
const [one = '', other = ''] = makeCode(FIRST);

test.each([
  ['as it is', `see ${one}${other}`],
  ['in small letters', `see ${`${one}${other}`.toLowerCase()}`],
  ['broken over two lines', `see ${one}\n${other}`],
  ['in the frame of a table', `${one} │ ${other}`],
  ['spaced out', `${one} ${other}`],
])('a reply code that stands in the text %s is not taken', (_, text) => {
  expect(freeCode({ id: 'fw_k3v9', text }, dice(FIRST, SECOND))).toBe(makeCode(SECOND).join(''));
});

test('nor one that the id or the request itself reads like', () => {
  const code = makeCode(FIRST).join('');
  expect(freeCode({ id: `fw_${code.toLowerCase()}`, text: 'x' }, dice(FIRST, SECOND))).toBe(makeCode(SECOND).join(''));
  // "joining 7Q and AN" holds 7QAN when the spaces go.
  const signs = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
  const bytes = Uint8Array.from([...'7QAN'].flatMap((sign) => [0, signs.indexOf(sign)]));
  expect(makeCode(bytes)).toEqual(['7Q', 'AN']);
  expect(freeCode({ id: 'fw_k3v9', text: 'x' }, dice(bytes, SECOND))).toBe(makeCode(SECOND).join(''));
});

test('whatever is sent, no echo of it holds its code', () => {
  const part = fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom(one, other, '\n', '│', 'ACK: context received '));
  const body = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
  const random = fc.infiniteStream(fc.uint8Array({ minLength: 8, maxLength: 8 }));
  fc.assert(
    fc.property(body, random, (text, stream) => {
      const throws = [FIRST, ...stream.take(20)];
      const code = freeCode({ id: 'fw_k3v9', text }, dice(...throws));
      const sent = typedText({ id: 'fw_k3v9', text, code });
      expect(squeezed(sent)).not.toContain(code.toLowerCase());
      expect(matchesAck(sent, code)).toBe(false);
    }),
    { numRuns: scaled(2000) },
  );
});

test('a backslash at the end is not the last character before the submit key', () => {
  expect(typedText({ id: 'fw_1', text: 'C:\\' })).toBe('[fw_1]\nC:\\ ');
  expect(typedText({ id: 'fw_1', text: 'a\\b' })).toBe('[fw_1]\na\\b');
});
