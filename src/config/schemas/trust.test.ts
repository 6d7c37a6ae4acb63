import { expect, test } from 'vitest';
import { trustNeeded, withoutTrust } from './trust.ts';

test('a repository does not decide by itself that its runs are merged; the rest of the section counts', () => {
  const written = { run: { merge: 'auto', concurrency: 2 }, search: { maxHits: 3 } };
  expect(trustNeeded(written)).toEqual({ parts: { 'run.merge': 'auto' } });
  expect(withoutTrust(written)).toEqual({ run: { concurrency: 2 }, search: { maxHits: 3 } });
});
