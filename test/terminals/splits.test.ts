// What an agent's output shows does not depend on the portions in which it arrives: streams from a grammar of everything a
// terminal acts on, finished or not, each cut in ten ways and byte by byte.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Screen } from '../../src/kernel/screen.ts';
import { openScreen } from '../../src/terminals/screen/screen.ts';
import { IS_LONG, scaled } from '../scale.ts';

const WAYS = IS_LONG ? 10 : 2;
const SIZE = { cols: 24, rows: 6 };
const number = fc.constantFrom('', '0', '1', '2', '5', '7', '12', '25', '31', '99', '1049', '2004', '2026', '99999999');
const csi = fc
  .tuple(
    fc.constantFrom('\x1b[', '\u009b'),
    fc.constantFrom('', '?', '>', '<', '='),
    fc.array(number, { maxLength: 4 }),
    fc.constantFrom(...'ABCDEFGHIJKLMPSTXZ@`abcdefghlmnpqrstu'),
  )
  .map(([start, prefix, params, final]) => `${start}${prefix}${params.join(';')}${final}`);
const string = fc
  .tuple(
    fc.constantFrom('\x1b]0;', '\x1b]2;', '\x1b]8;;', '\x1b]11;', '\x1bP', '\x1bP1$q', '\x1b_', '\x1b^', '\u009d2;'),
    fc.string({ maxLength: 8 }),
    fc.constantFrom('\x07', '\x1b\\', '\u009c', '\x18', ''),
  )
  .map((parts) => parts.join(''));
const text = fc.constantFrom(
  'plain words ',
  '“quoted” – …',
  '你好',
  '😀👍🏽',
  'e\u0301\u0308',
  '\r\n',
  '\r',
  '\n',
  '\t',
  '\b',
  '\x0e',
  '\x0f',
);
const escapes = fc.constantFrom(
  '\x1b7',
  '\x1b8',
  '\x1bc',
  '\x1bD',
  '\x1bM',
  '\x1bE',
  '\x1bH',
  '\x1b(0',
  '\x1b(B',
  '\x1b=',
  '\x1b#8',
  '\x1b[!p',
  '\x1b',
);
const bytes = fc.oneof(csi, string, text, escapes).map((piece) => new Uint8Array(Buffer.from(piece)));
const stream = fc
  .array(fc.oneof({ weight: 6, arbitrary: bytes }, fc.uint8Array({ maxLength: 5 })), { maxLength: 40 })
  .map((pieces) => Buffer.concat(pieces));

async function shown(portions: readonly Uint8Array[]): Promise<Screen> {
  const screen = await openScreen(SIZE);
  for (const portion of portions) screen.feed(portion);
  await screen.settled();
  const seen = screen.read();
  screen.close();
  return seen;
}

function cut(whole: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...places.map((place) => place % (whole.length + 1)), whole.length].sort((a, b) => a - b);
  return ends.map((to, index) => whole.subarray(ends[index - 1] ?? 0, to));
}

test('every split of a stream shows the same screen', async () => {
  const ways = fc.array(fc.array(fc.nat(), { minLength: 1, maxLength: 12 }), { minLength: WAYS, maxLength: WAYS });
  await fc.assert(
    fc.asyncProperty(stream, ways, async (whole, cuts) => {
      const wanted = await shown([whole]);
      for (const places of cuts) expect(await shown(cut(whole, places))).toEqual(wanted);
      expect(await shown([...whole].map((byte) => Uint8Array.of(byte)))).toEqual(wanted);
    }),
    { numRuns: scaled(10_000) },
  );
});
