import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scaled } from '../../test/scale.ts';
import { type Arrival, arrivalOf, arrivalWords, type GivenRequest, isFailure, makeRuler } from './arrival.ts';

const { lines, probe } = makeRuler('fwv1a2b3', 600);
const text = lines.join('\n');
const turn = (at: number, ...texts: string[]): GivenRequest => ({ at, isMain: true, texts });
const aside = (at: number, ...texts: string[]): GivenRequest => ({ at, isMain: false, texts });

test('a ruler is as long as asked for, every line with a mark of its own', () => {
  expect(text.length).toBeLessThanOrEqual(600);
  expect(text.length).toBeGreaterThan(540);
  expect(new Set(probe.marks.map((mark) => mark.text)).size).toBe(lines.length);
  for (const mark of probe.marks) expect(text.indexOf(mark.text)).toBe(mark.at);
  expect(text.split(probe.begin)).toHaveLength(2);
});

const head = lines.slice(0, 4).join('\n');
const CASES: readonly [name: string, requests: readonly GivenRequest[], arrival: Arrival][] = [
  ['whole in the first turn', [turn(5, 'hello', text)], { kind: 'served', ms: 5 }],
  ['whole among other words', [turn(5, `<reminder>${text}</reminder>`)], { kind: 'served', ms: 5 }],
  ['in pieces, but all of it', [turn(5, head, lines.slice(4).join('\n'))], { kind: 'served', ms: 5 }],
  ['repeated by later turns', [turn(5, text), turn(6, text, 'more')], { kind: 'served', ms: 5 }],
  ['beside a request for a title', [aside(4, text), turn(5, text)], { kind: 'served', ms: 5 }],
  ['cut at its end', [turn(5, head)], { kind: 'truncated', at: 180, ms: 5 }],
  [
    'cut in its middle',
    [turn(5, `${head}\n[...]\n${lines.slice(-3).join('\n')}`)],
    { kind: 'truncated', at: 180, ms: 5 },
  ],
  [
    'without its beginning',
    [turn(5, lines.slice(3).join('\n'))],
    { kind: 'dropped', reason: 'it is in none of 1 turn' },
  ],
  ['only its first mark', [turn(5, probe.begin)], { kind: 'truncated', at: 0, ms: 5 }],
  ['first a part, then all of it', [turn(5, head), turn(9, text)], { kind: 'late', turns: 1, ms: 9 }],
  ['only in a later turn', [turn(5, 'a'), turn(7, 'b'), turn(9, text)], { kind: 'late', turns: 2, ms: 9 }],
  ['twice in one turn', [turn(5, text, text)], { kind: 'duplicated', times: 2, ms: 5 }],
  ['twice in a later turn', [turn(5, text), turn(6, text, text, text)], { kind: 'duplicated', times: 3, ms: 5 }],
  ['nowhere', [turn(5, 'a'), turn(6, 'b')], { kind: 'dropped', reason: 'it is in none of 2 turns' }],
  ['no turn at all', [], { kind: 'dropped', reason: 'the model got no request' }],
  [
    'only in a request for a title',
    [aside(4, text), turn(5, 'a')],
    { kind: 'dropped', reason: "it is only in the agent's side requests" },
  ],
  ['only before it was placed', [turn(-1, text), turn(5, 'a')], { kind: 'dropped', reason: 'it is in none of 1 turn' }],
];

describe('a text that is', () => {
  test.each(CASES)('%s', (_, requests, arrival) => {
    expect(arrivalOf(probe, requests, 0)).toMatchObject(arrival);
  });
});

test('how many characters it has: up to the line that names its end, else up to its last mark', () => {
  const last = text.indexOf(probe.marks.at(-1)?.text ?? '') + (probe.marks.at(-1)?.text.length ?? 0);
  expect(arrivalOf(probe, [turn(5, `before ${text} after`)], 0)).toMatchObject({ characters: last });
  const end = '[end of foreword startup fw_1a2b]';
  expect(arrivalOf(probe, [turn(5, `before ${text}${end} after`)], 0)).toMatchObject({
    characters: text.length + end.length,
  });
});

test('what was cut anywhere is never called served, and the place is never after the cut', () => {
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.integer({ min: 1, max: text.length }), (from, length) => {
      const cut = text.slice(0, from) + text.slice(from + length);
      const arrival = arrivalOf(probe, [turn(5, cut)], 0);
      // A cut between the marks takes none of them.
      const isTaken = probe.marks.some((mark) => !cut.includes(mark.text));
      expect(isTaken ? ['truncated', 'dropped'] : ['served']).toContain(arrival.kind);
      if (arrival.kind === 'truncated') expect(arrival.at).toBeLessThanOrEqual(from);
    }),
    { numRuns: scaled(2000) },
  );
});

test('however a conversation grows, a text is counted once per request', () => {
  const step = fc.constantFrom('words', 'text', 'aside');
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const history: string[] = [];
      const requests = steps.map((what, index) => {
        if (what === 'aside') return aside(index, 'a title, please');
        history.push(what === 'text' ? text : `words ${index}`);
        return turn(index, ...history);
      });
      const arrival = arrivalOf(probe, requests, 0);
      const times = steps.filter((what) => what === 'text').length;
      const before = steps.filter((what) => what !== 'aside').indexOf('text');
      if (times === 0) expect(arrival.kind).toBe('dropped');
      else if (times > 1) expect(arrival).toMatchObject({ kind: 'duplicated', times });
      else if (before > 0) expect(arrival).toMatchObject({ kind: 'late', turns: before });
      else expect(arrival).toMatchObject({ kind: 'served', ms: steps.indexOf('text') });
    }),
    { numRuns: scaled(2000) },
  );
});

test('words and failures, kind by kind', () => {
  const all: readonly [Arrival, string, boolean][] = [
    [{ kind: 'served', ms: 1 }, 'served', false],
    [{ kind: 'late', turns: 1, ms: 1 }, 'late by 1 turn', false],
    [{ kind: 'late', turns: 2, ms: 1 }, 'late by 2 turns', false],
    [{ kind: 'not offered' }, 'not offered', false],
    [{ kind: 'truncated', at: 120, ms: 1 }, 'truncated at 120', true],
    [{ kind: 'duplicated', times: 2, ms: 1 }, 'duplicated ×2', true],
    [{ kind: 'dropped', reason: 'x' }, 'dropped', true],
    [{ kind: 'not measured', reason: 'x' }, 'not measured', true],
  ];
  for (const [arrival, words, isWrong] of all)
    expect([arrivalWords(arrival), isFailure(arrival)]).toEqual([words, isWrong]);
});
