import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TranscriptText } from '../kernel/transcript.ts';
import { type RestFacts, restOf, signalOf, withReport, withScreen, withTexts } from './rest.ts';

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

  test('need not stand still because its log began with a history that was replaced before anybody saw it', () => {
    const begun = [
      { kind: 'forgotten', role: '', text: '', evidence: 'log:2' },
      {
        kind: 'given',
        role: 'user',
        text: '<session_context>',
        isRetold: true,
        at: String(NOW - 400),
        evidence: 'log:2',
      },
    ] as const;
    expect(inMs(withTexts({}, begun, NOW))).toBe(0);
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
  expect(withReport({ turnEndedAt: 1 }, { event: 'prompt' }, at)).toEqual({ turnEndedAt: 1, promptAt: NOW });
  expect(withReport({ inputAt: 1 }, { event: 'stop' }, at)).toEqual({ inputAt: 1, turnEndedAt: NOW });
  expect(withReport({ inputAt: 1 }, { event: 'stop', isSubagent: true }, at)).toEqual({ inputAt: 1 });
  expect(withReport({}, { event: 'post-tool' }, at)).toEqual({});
});

test('a report that comes late says that the turn ended when the hook was started, not when it comes', () => {
  const late = withReport({ inputAt: NOW - 300 }, { event: 'stop', ranAt: NOW - 900 }, { now: NOW, firesAt: 'launch' });
  expect(late.turnEndedAt).toBe(NOW - 900);
  expect(inMs({ ...late, workBeganAt: NOW - 2000 })).toBe(980);
  // A clock that goes wrong says nothing about what is to come.
  expect(withReport({}, { event: 'stop', ranAt: NOW + 9000 }, { now: NOW, firesAt: 'launch' }).turnEndedAt).toBe(NOW);
});

describe('a transcript', () => {
  const text = (kind: TranscriptText['kind'], agoMs: number, part: Partial<TranscriptText> = {}): TranscriptText => ({
    kind,
    role: '',
    text: '',
    evidence: 'log:1',
    at: new Date(NOW - agoMs).toISOString(),
    ...part,
  });

  test('says that the turn ended, by the time of its own record', () => {
    const seen = withTexts({ inputAt: NOW - 3000 }, [text('reply', 500), text('ended', 500)], NOW);
    expect(seen).toEqual({ inputAt: NOW - 3000, activeAt: NOW - 500, turnEndedAt: NOW - 500 });
    expect(inMs({ ...seen, workBeganAt: NOW - 2900 })).toBe(0);
    expect(withTexts({}, [text('ended', 0, { at: String(NOW - 7) })], NOW).turnEndedAt).toBe(NOW - 7);
  });

  test('says that a turn goes on, also in the records that come later', () => {
    const ended = withTexts({ inputAt: NOW - 3000 }, [text('ended', 500)], NOW);
    for (const kind of ['began', 'given', 'reply', 'sent', 'fault', 'forgotten', 'answer'] as const)
      expect(inMs({ ...withTexts(ended, [text(kind, 100)], NOW) }), kind).toBe(980);
    expect(inMs(withTexts({ inputAt: NOW - 3000 }, [text('began', 100)], NOW))).toBe(980);
  });

  test('says nothing by what a sub-agent did, what is told again, and an end without a time', () => {
    const before = { inputAt: NOW - 3000 };
    expect(withTexts(before, [text('ended', 5, { isSubagent: true })], NOW)).toEqual(before);
    expect(withTexts(before, [text('ended', 5, { isRetold: true }), text('step', 4)], NOW)).toEqual(before);
    expect(withTexts(before, [text('ended', 5, { at: 'today' })], NOW)).toEqual(before);
    const { at: _, ...timeless } = text('began', 0);
    expect(withTexts(before, [timeless], NOW)).toEqual({ ...before, activeAt: NOW });
    // It was written before the end of the turn.
    expect(inMs(withTexts(before, [timeless, text('ended', 40)], NOW))).toBe(0);
    expect(inMs(withTexts(before, [text('ended', 40), timeless], NOW))).toBe(980);
  });
});

test('every order of what can happen: only the end of a turn that nothing came after, with no key while it worked, is a rest', () => {
  const at = { inputAt: 1, promptAt: 2, activeAt: 3, workBeganAt: 4, turnEndedAt: 5 } as const;
  const names = Object.keys(at) as (keyof typeof at)[];
  const orders = names.reduce<string[][]>(
    (some, name) =>
      some.flatMap((one) => [one, ...Array.from({ length: one.length + 1 }, (_, i) => one.toSpliced(i, 0, name))]),
    [[]],
  );
  expect(orders).toHaveLength(326);
  for (const order of orders) {
    const times = Object.fromEntries(order.map((name, index) => [name, NOW - 5000 + index * 100]));
    const isUnused = order.length === 0;
    const isEndLast = order.at(-1) === 'turnEndedAt';
    const isKeyInWork = order.includes('workBeganAt') && order.indexOf('inputAt') > order.indexOf('workBeganAt');
    expect(inMs(times) === 0, order.join(' ')).toBe(isUnused || (isEndLast && !isKeyInWork));
    expect(inMs({ ...times, isMeasured: false }), order.join(' ')).toBe(980);
    expect(signalOf(facts(times)), order.join(' ')).toBe(isEndLast ? 'first_response_complete' : 'prompt_detected');
  }
});

test('an agent that is up and was given nothing is ready by its own word', () => {
  expect(signalOf(facts({ upAt: NOW - 10 }))).toBe('explicit_ready');
  expect(signalOf(facts({ upAt: NOW - 10, inputAt: NOW - 5 }))).toBe('prompt_detected');
});

describe('an agent that prints that it is ready', () => {
  const printed = (...lines: readonly string[]) => withScreen({}, lines, NOW - 10);

  test('is up by its own word, whatever is known of its version, and a screen that may move must still stand still', () => {
    const said = printed('loading', '  ->foreword:ready', '> ');
    expect(signalOf(facts({ ...said, isMeasured: false }))).toBe('explicit_ready');
    expect(inMs({ ...said, since: NOW - 20 })).toBe(30);
    expect(inMs({ ...said, isMeasured: false })).toBe(980);
  });

  test('is not when the line is part of another, or is shown behind something', () => {
    for (const line of ['> ->foreword:ready', '12  ->foreword:ready', '->foreword:ready soon', '->foreword:readyness'])
      expect(printed(line)).toEqual({});
  });

  test('is not once anything was given to it: then its screen may show any file', () => {
    for (const before of [{ inputAt: NOW - 50 }, { promptAt: NOW - 50 }, { upAt: NOW - 50 }])
      expect(withScreen(before, ['->foreword:ready'], NOW)).toBe(before);
    const later = { ...printed('->foreword:ready'), inputAt: NOW - 5 };
    expect(signalOf(facts({ ...later, isMeasured: false }))).toBe('prompt_detected');
  });
});
