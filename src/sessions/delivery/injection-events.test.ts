import { expect, test } from 'vitest';
import { withInjectionEvents } from './injection-events.ts';

const OF = { delivery: 'fw_1', session: 's1', agent: 'claude' };
const ENDED = { moment: 'prompt', proof: 'submitted', attempts: 2, durationMs: 40 } as const;

test('each of the four is told behind the event it is made of, with its own fields and no others', () => {
  const events = withInjectionEvents([
    { kind: 'delivery-queued', moment: 'prompt', priority: 'normal', ...OF },
    { kind: 'delivery-attempted', attempt: 1, channel: 'typed', priority: 'normal', ...OF },
    { kind: 'delivery-escalated', to: 'file', reason: 'busy', ...OF },
    { kind: 'delivery-ended', outcome: 'uncertain', reason: 'the deadline passed', ...ENDED, ...OF },
    { kind: 'delivery-ended', outcome: 'delivered', ...ENDED, ...OF },
  ]);
  expect(events.filter(({ kind }) => kind.startsWith('injection:'))).toEqual([
    { kind: 'injection:attempted', messageId: 'fw_1', attempt: 1, type: 'normal' },
    { kind: 'injection:escalated', messageId: 'fw_1', escalationType: 'file' },
    { kind: 'injection:failed', messageId: 'fw_1', attempts: 2, reason: 'the deadline passed' },
    { kind: 'injection:succeeded', messageId: 'fw_1', attempts: 2, durationMs: 40 },
  ]);
  expect(events.map(({ kind }) => kind)).toHaveLength(9);
});
