import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RestFacts, restOf, withReport } from './rest.ts';

const NOW = 1_000_000;

/** Long stable, moved just now, measured, and no signals of it. */
function facts(part: Partial<RestFacts> = {}): RestFacts {
  return { now: NOW, since: NOW - 5000, movedAt: NOW - 20, stableMs: 300, isMeasured: true, ...part };
}

const inMs = (part?: Partial<RestFacts>) => restOf(facts(part)).inMs;

describe('an agent that was given nothing since its start', () => {
  test('need not stand still, and is used when its screen reads the same for 300 ms', () => {
    expect(inMs()).toBe(0);
    expect(restOf(facts({ since: NOW - 120 }))).toEqual({ inMs: 180, isMoving: false });
  });

  test('is used 50 ms after its screen reads ready, when its start hook ran', () => {
    expect(inMs({ upAt: NOW - 900, since: NOW - 20 })).toBe(30);
    expect(inMs({ upAt: NOW - 900, since: NOW - 50 })).toBe(0);
    expect(inMs({ upAt: NOW - 900, since: NOW - 20, isMeasured: false })).toBeGreaterThan(30);
  });

  test('is waited for where a question may follow its composer, also when its start hook ran; an answer ends that', () => {
    const asks = { asksWithinMs: 5000, since: NOW - 900 };
    expect(inMs(asks)).toBe(4100);
    expect(inMs({ ...asks, upAt: NOW - 950 })).toBe(4100);
    expect(inMs({ ...asks, since: NOW - 5000 })).toBe(0);
    expect(inMs({ ...asks, inputAt: NOW - 2000, movedAt: NOW - 1000 })).toBe(0);
  });

  test('must stand still once its screen showed work: it was started with a prompt, or works by itself', () => {
    expect(restOf(facts({ workBeganAt: NOW - 3000 }))).toEqual({ inMs: 980, isMoving: true });
  });
});

describe('an agent that was given something', () => {
  test('must stand still for a second', () => {
    expect(inMs({ inputAt: NOW - 3000 })).toBe(980);
    expect(inMs({ inputAt: NOW - 3000, movedAt: NOW - 999 })).toBe(1);
    expect(inMs({ inputAt: NOW - 3000, movedAt: NOW - 1000 })).toBe(0);
  });

  test('need not stand still when a hook or its transcript says that the turn ended', () => {
    expect(inMs({ inputAt: NOW - 3000, workBeganAt: NOW - 2900, turnEndedAt: NOW - 400 })).toBe(0);
  });

  test('must stand still when something came after the end of the turn: keys, or work that the screen shows', () => {
    expect(inMs({ inputAt: NOW - 300, turnEndedAt: NOW - 400 })).toBe(980);
    expect(inMs({ inputAt: NOW - 3000, workBeganAt: NOW - 300, turnEndedAt: NOW - 400 })).toBe(980);
  });

  test('has its own figure where it may stall for longer', () => {
    expect(inMs({ inputAt: NOW - 9000, movedAt: NOW - 1500, quietMs: 2000 })).toBe(500);
    expect(inMs({ inputAt: NOW - 9000, movedAt: NOW - 500, quietMs: 100 })).toBe(500);
  });
});

test('of a version that was not measured none of its signals counts: it must always stand still', () => {
  const signals = fc.record(
    { upAt: fc.nat(NOW), inputAt: fc.nat(NOW), turnEndedAt: fc.nat(NOW) },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(signals, fc.nat(3000), (one, movedMs) => {
      const { inMs } = restOf(facts({ ...one, movedAt: NOW - movedMs, isMeasured: false }));
      expect(inMs === 0).toBe(movedMs >= 1000);
    }),
  );
});

test('hooks report that it is up, that a prompt came and that the turn ended; those of sub-agents say nothing of it', () => {
  const at = { now: NOW, firesAt: 'launch' } as const;
  expect(withReport({}, { event: 'session-start' }, at)).toEqual({ upAt: NOW });
  expect(withReport({}, { event: 'session-start' }, { now: NOW, firesAt: 'first-prompt' })).toEqual({});
  expect(withReport({ turnEndedAt: 1 }, { event: 'prompt' }, at)).toEqual({ turnEndedAt: 1, inputAt: NOW });
  expect(withReport({ inputAt: 1 }, { event: 'stop' }, at)).toEqual({ inputAt: 1, turnEndedAt: NOW });
  expect(withReport({ inputAt: 1 }, { event: 'stop', isSubagent: true }, at)).toEqual({ inputAt: 1 });
  expect(withReport({}, { event: 'post-tool' }, at)).toEqual({});
});
