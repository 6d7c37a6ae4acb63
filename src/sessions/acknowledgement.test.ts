import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scaled } from '../../test/scale.ts';
import { expectedAck, isCodeFree, makeCode, matchesAck, refuseSelfMatching, wrapForAck } from './acknowledgement.ts';

const HALVES = ['7Q', 'X4'] as const;
/** Replaces the engine, which pure files do not have: patterns here are plain words. */
const match = { test: (pattern: string, line: string) => line.toLowerCase().includes(pattern.toLowerCase()) };

test('the request reads as it was designed', () => {
  expect(wrapForAck('Task: health endpoint.', { id: 'fw_k3v9', halves: HALVES })).toBe(
    `[CONTEXT INJECTION fw_k3v9 - Please acknowledge receipt]
Task: health endpoint.

[END CONTEXT fw_k3v9 - To confirm, reply with one line: ACK, a colon, the words context received, and the code made by joining 7Q and X4]`,
  );
  expect(expectedAck(HALVES)).toBe('ACK: context received 7QX4');
});

test('no text we send matches its own acknowledgement, also not as a terminal breaks it', () => {
  const body = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc
      .array(fc.constantFrom('ACK: context received', '7Q', 'X4', ' and ', '\n', ' ', 'joining', 'ACK', '│', '[END'), {
        maxLength: 12,
      })
      .map((parts) => parts.join('')),
  );
  const bytes = fc.uint8Array({ minLength: 8, maxLength: 8 });
  let sent = 0;
  fc.assert(
    fc.property(body, fc.option(bytes), fc.integer({ min: 5, max: 120 }), (text, random, width) => {
      const halves = random === null ? HALVES : makeCode(random);
      const wrapped = wrapForAck(text, { id: 'fw_k3v9', halves });
      if (!isCodeFree(wrapped, halves)) return;
      sent += 1;
      const broken = wrapped
        .split('\n')
        .flatMap((line) => chunks(line, width).map((part) => `│ ${part} │`))
        .join('\n');
      for (const echo of [wrapped, broken, wrapped + wrapped]) expect(matchesAck(echo, halves.join(''))).toBe(false);
      const replied = `${broken}\n● ${expectedAck(halves)}`;
      expect(matchesAck(replied, halves.join(''))).toBe(true);
    }),
    { numRuns: scaled(20_000) },
  );
  expect(sent).toBeGreaterThan(scaled(20_000) * 0.8);
});

describe('a reply', () => {
  test.each([
    'ACK: context received 7QX4',
    'ack: context received 7QX4.',
    'ACK: context received `7QX4`',
    '**ACK: context received, code 7QX4**',
    '● ACK: context\n  received\n  7QX4',
    'Understood. ACK 7QX4 - starting now.',
  ])('%j counts', (text) => expect(matchesAck(text, '7QX4')).toBe(true));

  test.each([
    'ACK: context received',
    'ACK: context received 7Q X4',
    'ACK: context received 7qx4',
    'the key is 7QX4',
    'ACK: context received A7QX4',
    'ACK: context received 7QX45',
    'ACK: context received Q3F7',
    `ACK ${'and so on '.repeat(10)} 7QX4`,
    '',
  ])('%j does not', (text) => expect(matchesAck(text, '7QX4')).toBe(false));

  test('may be a line that a configured pattern finds, but not one that is in what was sent', () => {
    const extra = { patterns: ['roger', 'endpoint'], match };
    expect(matchesAck('Roger that.', undefined, extra)).toBe(true);
    expect(matchesAck('the endpoint', '7QX4', extra)).toBe(true);
    expect(matchesAck('the endpoint', '7QX4', { ...extra, sent: 'Task: health endpoint.' })).toBe(false);
    expect(matchesAck('Roger that.', '7QX4')).toBe(false);
  });
});

test('a code is four signs that nobody mistakes, with a digit and a letter, and any of many', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 8, maxLength: 8 }), (random) => {
      const code = makeCode(random).join('');
      expect(code).toMatch(/^(?=.*[2-9])(?=.*[A-Z])[2-9A-HJKMNP-Z]{4}$/);
      seen.add(code);
    }),
    { numRuns: 3000 },
  );
  expect(seen.size).toBeGreaterThan(1500);
  expect(makeCode(new Uint8Array())).toEqual(makeCode(new Uint8Array(8)));
});

test('a pattern that finds something in what we send is reported with the line', () => {
  const sent = [wrapForAck('…', { id: 'fw_a', halves: HALVES }), '[System] Session context written to X'];
  expect(refuseSelfMatching(['context received', 'roger', 'session context'], sent, match)).toEqual([
    { pattern: 'context received', line: expect.stringMatching(/^\[END CONTEXT fw_a/) },
    { pattern: 'session context', line: '[System] Session context written to X' },
  ]);
});

test('the pattern of the original design matches the text it asks with', () => {
  const sent = '[END CONTEXT - Reply "ACK: context received" to confirm]';
  expect(/ACK:\s*context received/i.test(sent)).toBe(true);
  expect(matchesAck(sent, '7QX4')).toBe(false);
});

function chunks(line: string, width: number): string[] {
  const parts: string[] = [];
  for (let at = 0; at < Math.max(1, line.length); at += width) parts.push(line.slice(at, at + width));
  return parts;
}
