import { expect, test } from 'vitest';
import { faultReason } from './fault-reason.ts';

test.each([
  ['connect ECONNREFUSED 127.0.0.1:1', 'model not reached: connection refused'],
  ['getaddrinfo ENOTFOUND api.example.com', 'model not reached: name not found'],
  ['Failed to authenticate. API Error: 401 no', 'refused: 401'],
  ['unexpected status 403 Forbidden: no', 'refused: 403'],
  ['API Error: 529 busy', 'model failed: 529'],
  ["We're currently experiencing high demand, which may cause temporary errors.", 'model failed'],
  ['stream disconnected before completion', 'the answer broke off'],
  ['exceeded retry limit, last status: 429 Too Many Requests', 'limit'],
  ['something else', 'no answer of the model: something else'],
  ['', 'no answer of the model'],
])('"%s" is "%s"', (text, reason) => {
  expect(faultReason({ text })).toBe(reason);
});

test('the status of the service decides before the words', () => {
  expect(faultReason({ text: 'timed out', status: 500 })).toBe('model failed: 500');
  expect(faultReason({ text: 'no', status: 418 })).toBe('refused: 418');
});

test('a limit names when it ends, where the text does', () => {
  const at = '2026-11-17T10:00:00Z';
  expect(faultReason({ text: 'usage limit reached, try again in 2 hours', status: 429, at })).toMatch(
    /^limit until 12:00 UTC$/,
  );
});
