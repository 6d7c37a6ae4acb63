import { expect, test } from 'vitest';
import type { DeliveryRecord } from '../kernel/delivery.ts';
import { queuedMessage } from './queued-message.ts';

const delivery = {
  id: 'fw_1',
  session: 's1',
  moment: 'session-start',
  priority: 'startup',
  text: 'read this',
  queuedAt: '2026-01-01T00:00:00.000Z',
  ladder: ['typed', 'file', 'notice'],
  rung: 0,
  attempts: 1,
} as unknown as DeliveryRecord;
const escalation = { retryBackoffs: [1000, 2000], fileFallbackAfterAttempts: 3, file: 'AGENTS.md' };

test('a delivery that waits reads as a queued message of design 000', () => {
  expect(queuedMessage(delivery, escalation)).toEqual({
    from: 'system',
    body: 'read this',
    messageId: 'fw_1',
    priority: 'startup',
    attempts: 1,
    maxAttempts: 3,
    createdAt: 1767225600000,
    escalationStrategy: { type: 'retry', backoffMs: [1000, 2000] },
  });
});

test.each([
  ['the file after three windows', { attempts: 3 }, escalation, { type: 'file_fallback', path: 'AGENTS.md' }],
  ['the file on its rung', { rung: 1 }, escalation, { type: 'file_fallback', path: 'AGENTS.md' }],
  ['a notice on the last rung', { rung: 2 }, escalation, { type: 'notification' }],
  ['a notice where there is no file', { attempts: 3 }, { ...escalation, file: undefined }, { type: 'notification' }],
])('what comes next is %s', (_, change, how, expected) => {
  const message = queuedMessage({ ...delivery, ...change } as DeliveryRecord, how);
  expect(message.escalationStrategy).toMatchObject(expected);
});
