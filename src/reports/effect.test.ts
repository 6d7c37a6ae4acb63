import { describe, expect, test } from 'vitest';
import type { ForewordEvent, NewEvent } from '../kernel/events.ts';
import { isoTime } from '../kernel/iso-time.ts';
import type { LogFigure } from '../verify/audit/tally.ts';
import { compareOrientation, type Effect, measureEffect, renderEffect } from './effect.ts';

const MONDAY = Date.UTC(2026, 0, 5, 12);
const WEEK = 7 * 86_400_000;

interface Try {
  readonly occasion?: 'first' | 'switch' | 'retry';
  readonly isHeldOut?: boolean;
  /** There was a lot to draw; without one the hand-over is switched off. */
  readonly isDrawn?: boolean;
  readonly end?: 'passed' | 'failed' | 'needs-review' | 'interrupted' | 'circuit_breaker';
}

/** A task with these attempts, finished by default. */
function task(id: string, tries: readonly Try[], more: { at?: number; status?: 'completed' | 'blocked' } = {}) {
  const events = tries.flatMap((each, index): NewEvent[] => {
    const { occasion = index === 0 ? 'first' : 'retry', isHeldOut = false, isDrawn = true, end = 'failed' } = each;
    const [attempt, agent] = [index + 1, 'codex'];
    const type = occasion === 'switch' ? 'circuit_breaker' : 'retry';
    const handover = occasion === 'first' || isHeldOut || !isDrawn ? 'none' : type;
    const isValidated = end === 'passed' || end === 'failed' || end === 'needs-review';
    const exitReason = isValidated ? 'validation_failure' : end;
    const isDone = end === 'passed' || end === 'needs-review';
    return [
      {
        kind: 'attempt-started',
        task: id,
        attempt,
        agent,
        occasion,
        handover,
        handoverTokens: 0,
        buildMs: 0,
        isHeldOut,
      },
      ...(isValidated
        ? [{ kind: 'validation-finished', task: id, attempt, outcome: end, failed: 0, notRun: 0 } as const]
        : []),
      {
        ...{ kind: 'attempt-finished', task: id, attempt, agent, durationMs: 1, filesChanged: 0 },
        ...(isDone ? { status: 'completed' } : { status: 'failed', exitReason }),
      },
    ];
  });
  const { at = MONDAY, status = 'completed' } = more;
  const end: NewEvent = { kind: 'task-finished', task: id, status, attempts: tries.length };
  return [...events, end].map((event, index): ForewordEvent => ({ id: `${id}-${index}`, at: isoTime(at), ...event }));
}

/** So many tasks whose second attempt is this one. */
const many = (name: string, count: number, second: Try): readonly ForewordEvent[] =>
  Array.from({ length: count }, (_, index) => task(`${name}-${index}`, [{}, second])).flat();

const PASSES_WITH = { end: 'passed' } as const;
const PASSES_WITHOUT = { end: 'passed', isHeldOut: true } as const;
const FAILS_WITHOUT = { end: 'failed', isHeldOut: true } as const;

describe('a comparison', () => {
  test('with fewer than 20 in a group is not shown, however clear it looks', () => {
    const { retrySuccess } = measureEffect([...many('a', 100, PASSES_WITH), ...many('b', 19, FAILS_WITHOUT)]);
    expect(retrySuccess).toMatchObject({
      withContext: { count: 100, total: 100, value: 1 },
      withoutContext: { count: 0, total: 19, value: 0 },
      difference: { value: 1 },
      enough: false,
      says: expect.stringMatching(/^Too little data: 100 with and 19 without\. 20 of each are needed\./),
    });
  });

  test('in whose sequence 0 lies shows no difference yet, and says how many more would', () => {
    const events = [
      ...[...many('a', 25, PASSES_WITH), ...many('b', 15, { end: 'failed' })],
      ...[...many('c', 10, PASSES_WITHOUT), ...many('d', 10, FAILS_WITHOUT)],
    ];
    expect(measureEffect(events).retrySuccess).toMatchObject({
      withContext: { count: 25, total: 40 },
      withoutContext: { count: 10, total: 20 },
      enough: false,
      says: expect.stringMatching(
        /^No clear difference yet\. About \d+ more would show a difference of 15 points, if 33 % of them/,
      ),
    });
  });

  test.each([
    ['Better', PASSES_WITH, FAILS_WITHOUT],
    ['Worse', { end: 'failed' } as const, PASSES_WITHOUT],
  ])('whose sequence leaves 0 out is reported: %s', (word, one, other) => {
    const events = [...many('a', 20, one), ...many('b', 20, other)];
    expect(measureEffect(events).retrySuccess).toMatchObject({ enough: true, says: `${word} with hand-overs.` });
  });

  test('leaves out attempts outside both groups and undecided ones', () => {
    const events = [
      ...many('off', 5, { isDrawn: false }),
      ...many('undecided', 2, { end: 'needs-review' }),
      ...many('cut', 3, { end: 'interrupted' }),
      ...many('unable', 4, { end: 'circuit_breaker', isHeldOut: true }),
    ];
    const { retrySuccess, undecided } = measureEffect(events);
    expect([retrySuccess.withContext.total, retrySuccess.withoutContext.total, undecided]).toEqual([0, 0, 9]);
  });

  test('counts an attempt after a switch as fallback, not as retry', () => {
    const { retrySuccess, fallbackSuccess } = measureEffect(many('a', 3, { occasion: 'switch', end: 'passed' }));
    expect(fallbackSuccess.withContext).toMatchObject({ count: 3, total: 3 });
    expect(retrySuccess.withContext).toEqual({ count: 0, total: 0 });
  });
});

describe('the accuracy of the helper', () => {
  const asked = (commands: number, decided: number, hadContext: boolean): ForewordEvent => ({
    ...{ id: `${commands}`, at: isoTime(MONDAY), kind: 'helper-asked', task: 't', agent: 'claude' },
    ...{ commands, decided, hadContext },
  });

  test('is the share of its commands that decided, as a mean over those who were asked and named some', () => {
    const { helperAccuracy } = measureEffect([
      asked(4, 2, true),
      asked(3, 3, true),
      asked(4, 1, false),
      asked(0, 0, true),
    ]);
    expect(helperAccuracy.withContext).toMatchObject({ total: 2, value: 0.75 });
    expect(helperAccuracy.withoutContext).toMatchObject({ total: 1, value: 0.25 });
  });

  test('is not certain because a helper has many commands that all end alike', () => {
    const events = [true, true, false, false].map((hadContext) => asked(50, hadContext ? 50 : 0, hadContext));
    expect(measureEffect(events).helperAccuracy).toMatchObject({
      enough: false,
      says: expect.stringMatching(/^Too little data: 2 with and 2 without/),
    });
  });
});

describe('attempts per task', () => {
  test('go to the group of the first lot, whatever was drawn later', () => {
    const { attemptsPerTask } = measureEffect([
      ...task('a', [{}, { isHeldOut: true }, {}, { end: 'passed' }]),
      ...task('b', [{}, {}, { isHeldOut: true, end: 'passed' }]),
      ...task('c', [{ end: 'passed' }]),
    ]);
    expect(attemptsPerTask.withoutContext).toEqual({ total: 1, value: 4 });
    expect(attemptsPerTask.withContext).toEqual({ total: 1, value: 3 });
  });

  test('of a blocked task are counted when it is finished, and only since it was last', () => {
    const blocked = task('a', [{}, {}], { status: 'blocked' });
    const later = task('a', [{ occasion: 'retry' }, { end: 'passed' }]);
    const again = task('a', [{}, { end: 'passed' }]);
    expect(measureEffect(blocked).attemptsPerTask.withContext).toMatchObject({ total: 0 });
    expect(measureEffect([...blocked, ...later, ...again]).attemptsPerTask.withContext).toMatchObject({
      total: 2,
      value: 3,
    });
  });

  test('are better when fewer', () => {
    const short = Array.from({ length: 20 }, (_, index) => task(`s${index}`, [{}, { end: 'passed' }]));
    const long = Array.from({ length: 20 }, (_, index) => task(`l${index}`, [{}, { isHeldOut: true }, {}, {}]));
    expect(measureEffect([...short, ...long].flat()).attemptsPerTask).toMatchObject({
      difference: { value: -2 },
      enough: true,
      says: 'Better with hand-overs.',
    });
  });
});

test('a task with more than 8 attempts counts as one with 8, which is said', () => {
  const events = task(
    'a',
    Array.from({ length: 30 }, () => ({})),
  );
  const effect = measureEffect(events);
  expect(effect.attemptsPerTask).toMatchObject({ withContext: { total: 1, value: 8 }, most: 8 });
  expect(renderEffect(effect)).toContain('a task with more than 8 counts as one with 8, in both groups');
});

test('first attempts are counted by week, oldest first', () => {
  const events = [
    ...task('late', [{ end: 'passed' }], { at: MONDAY + WEEK }),
    ...task('a', [{ end: 'passed' }]),
    ...task('b', [{}], { at: MONDAY + 3 * 86_400_000 }),
    ...task('c', [{ end: 'interrupted' }], { at: MONDAY - WEEK }),
  ];
  expect(measureEffect(events).firstAttempts).toMatchObject([
    { week: '2026-01-05', count: 1, total: 2 },
    { week: '2026-01-12', count: 1, total: 1 },
  ]);
});

describe('the text', () => {
  const show = (effect: Effect): string => `\n${renderEffect(effect)}`;

  test('of a full journal is aligned and has conclusions', () => {
    const events = [
      ...many('a', 95, PASSES_WITH),
      ...many('b', 25, { end: 'failed' }),
      ...many('c', 8, PASSES_WITHOUT),
      ...many('d', 16, FAILS_WITHOUT),
      ...many('e', 12, { occasion: 'switch', end: 'passed' }),
      ...task('f', [{ end: 'passed' }], { at: MONDAY + WEEK }),
      ...task('g', [{ end: 'interrupted' }], { at: MONDAY + WEEK }),
    ];
    expect(show(measureEffect(events))).toMatchInlineSnapshot(`
      "
      Hand-overs compared with a control group (95 % confidence in brackets; that of the difference holds however often you look)

      measure            with hand-over           control group           difference
      retry success      79 % (71 to 85) of 120   33 % (18 to 53) of 24   +46 points (+7 to +76)
      fallback success   100 % (76 to 100) of 12  none                    -
      helper accuracy    none                     none                    -
      attempts per task  2.0 (2.0 to 2.0) of 132  2.0 (2.0 to 2.0) of 24  +0.0 (-1.4 to +0.3)

      retry success      Better with hand-overs.
      fallback success   Too little data: 12 with and 0 without. 20 of each are needed. About 2183 more would show a difference of 15 points, if 5 % of them are in the control group.
      helper accuracy    Too little data: 0 with and 0 without. 20 of each are needed. About 1057 more would show a difference of 15 points, if 50 % of them are in the control group.
      attempts per task  No clear difference yet.

      Attempts per task: a task with more than 8 counts as one with 8, in both groups.
      Not counted: 1 attempt (undecided, interrupted, or the agent was not available).

      Share of first attempts that passed, by week

      2026-01-05  0 % (0 to 2) of 156
      2026-01-12  100 % (21 to 100) of 1
      "
    `);
  });

  test('of an empty journal has no figures', () => {
    expect(show(measureEffect([]))).toMatchInlineSnapshot(`
      "
      Hand-overs compared with a control group (95 % confidence in brackets; that of the difference holds however often you look)

      measure            with hand-over  control group  difference
      retry success      none            none           -
      fallback success   none            none           -
      helper accuracy    none            none           -
      attempts per task  none            none           -

      retry success      Too little data: 0 with and 0 without. 20 of each are needed. About 1057 more would show a difference of 15 points, if 50 % of them are in the control group.
      fallback success   Too little data: 0 with and 0 without. 20 of each are needed. About 1057 more would show a difference of 15 points, if 50 % of them are in the control group.
      helper accuracy    Too little data: 0 with and 0 without. 20 of each are needed. About 1057 more would show a difference of 15 points, if 50 % of them are in the control group.
      attempts per task  Too little data: 0 with and 0 without. 20 of each are needed. About 107 more would show a difference of one attempt, if 50 % of them are in the control group.

      Share of first attempts that passed, by week

      None yet.
      "
    `);
  });
});

describe('actions before the first edit', () => {
  const figure = (...actions: readonly [number, number][]): LogFigure => ({ actions, total: 0 });
  const compared = (told: LogFigure, untold: LogFigure) => {
    const orientation = compareOrientation([{ by: 'compaction', told, untold }]);
    return { orientation, text: renderEffect({ ...measureEffect([]), orientation }) };
  };

  test('are compared as a factor, and said to be not randomised', () => {
    const { orientation, text } = compared(figure([4, 30], [23, 30]), figure([13, 30], [57, 30]));
    expect(orientation).toMatchObject([
      { by: 'compaction', enough: true, says: expect.stringMatching(/^Fewer actions/) },
    ]);
    expect(text).toMatch(
      /actions, compaction +10\.0 \(.*\) of 60 +27\.5 \(.*\) of 60 +times 0\.38 \(0\.\d\d to 0\.\d\d\)/,
    );
    expect(text).toContain('Not randomised.');
  });

  test('that are more than 100 count as 100, which is said', () => {
    const { orientation, text } = compared(figure([0, 59], [5000, 1]), figure([0, 59], [100, 1]));
    expect(orientation).toMatchObject([{ difference: { value: 0 }, most: 100 }]);
    expect(text).toContain('more than 100 actions count as 100, with and without');
  });
});

test('a larger difference needs fewer cases', () => {
  const more = (points: number) => measureEffect([], points).retrySuccess.needs.more;
  expect(more(30)).toBeLessThan(more(15));
});
