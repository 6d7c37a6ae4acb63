import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scaled } from '../../test/scale.ts';
import { sha256 } from './sha256.ts';

function check(bytes: Uint8Array): void {
  expect(sha256(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'));
}

test('is what the platform computes, for any bytes and around the block borders', () => {
  for (let length = 0; length <= 200; length += 1) check(new Uint8Array(length).fill(length));
  fc.assert(fc.property(fc.uint8Array({ maxLength: 500 }), check), { numRuns: scaled(5000) });
});
