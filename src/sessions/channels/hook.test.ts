import { describe, expect, it } from 'vitest';
import type { LaunchHook } from '../../kernel/agent.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { advance } from '../delivery/machine.ts';
import { acceptedDelivery } from '../delivery/record.ts';
import type { DeliveryRules, DeliveryStep, DeliveryView } from '../delivery/step.ts';

const RULES: DeliveryRules = {
  stableMs: 300,
  personMs: 3000,
  submitDelayMs: 100,
  readinessTimeoutMs: 30_000,
  retryBackoffs: [1000],
  fileFallbackAfterAttempts: 3,
  sendNotificationOnFailure: true,
};
const READY = { state: 'ready', evidence: '> ', composer: { kind: 'empty' } } as const;
const BUSY = { state: 'busy', evidence: 'Working', composer: { kind: 'empty' } } as const;
const STARTING = { state: 'starting', evidence: '', composer: { kind: 'absent' } } as const;

/** A startup context that the launch hook will print, on a clock that only the test moves. */
function launched(hookFiresAt?: LaunchHook['firesAt']) {
  const clock = manualClock(Date.UTC(2026, 2, 1, 12));
  const record = acceptedDelivery(
    {
      id: 'fw_abcd',
      moment: 'session-start',
      priority: 'startup',
      text: 'read this',
      ladder: ['hook', 'typed'],
      required: 'served',
      ...(hookFiresAt === undefined ? {} : { hookFiresAt }),
    },
    's1',
    clock.now(),
  );
  const since = clock.now();
  const look = (part: Partial<DeliveryView> = {}, from = record as DeliveryStep['delivery']): DeliveryStep => {
    const now = clock.now();
    const seen = { isOursShown: false, hasWorked: false, isIdShown: false, canType: true, hasHadTurn: false };
    const rest = { restInMs: 0, isMoving: false, hasBeenUsed: false, isQueued: false, isTall: false };
    const view = { now, readiness: READY, stableMs: now - since, unknownMs: 0, ...seen, ...rest, ...part };
    return advance(from, { kind: 'looked', view }, RULES);
  };
  return { clock, record, look };
}

describe('a launch hook that does not run', () => {
  it('is waited for while the first prompt is in the composer, and was not sent', async () => {
    const { clock, look } = launched('first-prompt');
    await clock.advance(5000);
    const composer = { kind: 'text', text: 'go on with the door' } as const;
    const started = { hasHadTurn: true, hasBeenUsed: true };
    const { delivery } = look({ ...started, readiness: { ...READY, composer } });
    expect(delivery).toMatchObject({ rung: 0, waiting: 'next prompt' });
    expect(look(started).delivery).toMatchObject({ rung: 1 });
  });

  it('is given up four seconds after the agent is ready, where it runs at the launch', async () => {
    const { clock, look } = launched('launch');
    await clock.advance(1000);
    expect(look()).toMatchObject({ delivery: { stage: 'queued', rung: 0, waiting: 'first prompt' }, againMs: 3000 });
    await clock.advance(2999);
    expect(look().delivery.rung).toBe(0);
    await clock.advance(1);
    const { delivery } = look();
    expect(delivery).toMatchObject({ stage: 'queued', rung: 1, reason: 'hook: the session-start hook did not run' });
    expect(delivery).not.toHaveProperty('hookFiresAt');
    expect(look({}, delivery).action).toBe('type');
    expect(clock.pending).toBe(0);
  });

  it('is waited for while the agent starts, asks or works', async () => {
    const { clock, look } = launched('launch');
    await clock.advance(60_000);
    for (const readiness of [STARTING, BUSY, { ...BUSY, state: 'asking' } as const])
      expect(look({ readiness }).delivery.rung).toBe(0);
  });

  it('is given up only after a turn, where it runs with the first prompt', async () => {
    const { clock, look } = launched('first-prompt');
    await clock.advance(60_000);
    expect(look()).toMatchObject({ delivery: { rung: 0, waiting: 'first prompt' } });
    expect(look({ hasHadTurn: true, stableMs: 1500, readiness: BUSY })).toMatchObject({
      delivery: { rung: 0 },
      againMs: 2500,
    });
    expect(look({ hasHadTurn: true, stableMs: 4000, readiness: BUSY }).delivery.rung).toBe(1);
  });

  it('that a record does not know of is waited for until the deadline', async () => {
    const { clock, look } = launched();
    await clock.advance(599_999);
    expect(look({ hasHadTurn: true }).delivery.rung).toBe(0);
    await clock.advance(1);
    expect(look().delivery).toMatchObject({ rung: 1, reason: 'the deadline passed' });
  });

  it('may have run while no host listened: the next host waits for the deadline', async () => {
    const { clock, look, record } = launched('launch');
    const found = advance(record, { kind: 'found-again', now: clock.now() }, RULES).delivery;
    await clock.advance(60_000);
    expect(look({}, found).delivery.rung).toBe(0);
  });
});

it('a hook that printed the text is not given up', async () => {
  const { clock, look, record } = launched('launch');
  const printed = { kind: 'placed', now: clock.now(), channel: 'hook', evidence: 'printed' } as const;
  const { delivery } = advance(record, printed, RULES);
  await clock.advance(60_000);
  expect(look({}, delivery)).toEqual({ delivery, action: 'none' });
});
