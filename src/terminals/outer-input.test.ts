import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scaled } from '../../test/scale.ts';
import { type InputRun, sortOuterInput } from './outer-input.ts';

const REPLIES = [
  ...['\x1b[?62;22c', '\x1b[>0;276;0c', '\x1b[0n', '\x1b[?997;1n', '\x1b[12;40R', '\x1b[?12;40;1R', '\x1b[?2026;2$y'],
  ...[
    '\x1b]11;rgb:0000/0000/0000\x1b\\',
    '\x1b]10;rgb:ffff/ffff/ffff\x07',
    '\x1b]4;1;rgb:00/00/00\x07',
    '\x1b]52;c;YQ==\x07',
  ],
  ...['\x1bP>|XTerm(388)\x1b\\', '\x1bP1+r544e=787465726d\x1b\\', '\x1bP1$r0m\x1b\\', '\x1b_Gi=31;OK\x1b\\'],
  ...['\x1b[I', '\x1b[O', '\x1b[<0;10;20M', '\x1b[<35;10;20m', '\x1b[M !!', '\x1b[32;10;20M'],
  ...['\x1b[?1u', '\x1b[8;24;80t', '\x1b[4;600;800t', '\x1b[48;24;80;600;800t', '\x1b[?2;0S'],
];
const KEYS = [
  ...[
    'a',
    'é',
    '😀',
    '\r',
    '\x03',
    '\x1a',
    '\t',
    '\x7f',
    '\x1b[A',
    '\x1b[1;5C',
    '\x1bOP',
    '\x1b[15~',
    '\x1b[Z',
    '\x1b[3~',
  ],
  ...['\x1b[97;5u', '\x1b[57441;1:3u', '\x1b[27;5;13~', '\x1ba', '\x1b\r', '\x1b[[A', '\x1b\x7f', '\x1bx', '\x1b[5;2P'],
  ...['\x1b[200~pasted \x1b[I \x1b]11;rgb:0/0/0\x07 text\r\n\x1b[201~', '\x1b[200~\x1b[201~'],
];

const bytesOf = (text: string) => Buffer.from(text);
const shown = (runs: readonly InputRun[]) =>
  runs.map(({ bytes, isPerson }) => [isPerson ? 'person' : 'terminal', Buffer.from(bytes).toString()]);
const joined = (runs: readonly InputRun[], isPerson: boolean) =>
  Buffer.concat(runs.filter((run) => run.isPerson === isPerson).map((run) => run.bytes)).toString();

function sortSplit(bytes: Buffer, places: readonly number[]): InputRun[] {
  const input = sortOuterInput();
  const ends = [...places, bytes.length].sort((a, b) => a - b);
  return ends.flatMap((to, index) => input.sort(bytes.subarray(ends[index - 1] ?? 0, to)));
}

describe('input from a person’s terminal', () => {
  test.each(REPLIES)('%j comes from the terminal itself', (reply) => {
    expect(shown(sortOuterInput().sort(bytesOf(reply)))).toEqual([['terminal', reply]]);
  });

  test.each(KEYS)('%j is a person', (keys) => {
    expect(shown(sortOuterInput().sort(bytesOf(keys)))).toEqual([['person', keys]]);
  });

  test.each(['\x1b', '\x1b[', '\x1b]', '\x1bP', '\x1b_'])(
    '%j by itself is a key, and what is typed next is, too',
    (key) => {
      const input = sortOuterInput();
      expect(shown(input.sort(bytesOf(key)))).toEqual([['person', key]]);
      expect(shown(input.sort(bytesOf('1;2 words')))).toEqual([['person', '1;2 words']]);
    },
  );

  test('keys and replies in one portion are separated, in order', () => {
    expect(shown(sortOuterInput().sort(bytesOf('ab\x1b[I\x1b[?62c\x1b[Ac\x1b[<0;1;1Md')))).toEqual([
      ['person', 'ab'],
      ['terminal', '\x1b[I\x1b[?62c'],
      ['person', '\x1b[Ac'],
      ['terminal', '\x1b[<0;1;1M'],
      ['person', 'd'],
    ]);
  });

  test('a string that never ends does not swallow a person’s keys for long', () => {
    const input = sortOuterInput();
    input.sort(bytesOf(`\x1b]11;${'x'.repeat(5000)}`));
    expect(shown(input.sort(bytesOf('hello')))).toEqual([['person', 'hello']]);
  });

  test('replies split after the second byte of a sequence are never taken for a person', () => {
    const replies = fc.array(fc.constantFrom(...REPLIES), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(replies, fc.array(fc.nat(), { maxLength: 6 }), (texts, cuts) => {
        const bytes = bytesOf(texts.join(''));
        const allowed = [...bytes.keys()].filter((at) => bytes[at - 1] !== 0x1b && bytes[at - 2] !== 0x1b);
        const places = cuts.map((cut) => allowed[cut % allowed.length] ?? 0);
        expect(sortSplit(bytes, places).filter((run) => run.isPerson)).toEqual([]);
      }),
      { numRuns: scaled(10_000) },
    );
  });

  test('a key is noticed however it is split, also between replies', () => {
    const around = fc.constantFrom('', ...REPLIES);
    fc.assert(
      fc.property(
        around,
        fc.constantFrom(...KEYS),
        around,
        fc.array(fc.nat(), { maxLength: 6 }),
        (before, key, after, cuts) => {
          const start = bytesOf(before).length;
          const places = cuts.map((cut) => start + (cut % (bytesOf(key).length + 1)));
          expect(joined(sortSplit(bytesOf(before + key + after), places), true)).not.toBe('');
        },
      ),
      { numRuns: scaled(10_000) },
    );
  });

  test('whatever comes, in whatever portions, nothing is lost, doubled or moved', () => {
    const portions = fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 30 }),
        fc
          .constantFrom(...REPLIES, ...KEYS, '\x1b', '[', ']', 'P', '\x1b[M', '\x1b[200~', '201~')
          .map((text) => new Uint8Array(bytesOf(text))),
      ),
      { maxLength: 10 },
    );
    fc.assert(
      fc.property(portions, (all) => {
        const input = sortOuterInput();
        for (const portion of all) {
          expect(Buffer.concat(input.sort(portion).map((run) => run.bytes))).toEqual(Buffer.from(portion));
        }
      }),
      { numRuns: scaled(10_000) },
    );
  });
});
