// The breaker against a model: supervisors on one store, a clock that may be set back and forth, failures of every
// class. The model is what a person would keep on paper: one pause, one caller, a few strokes.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ErrorClass } from '../kernel/agent.ts';
import { advance, availability, type BreakerEvent, closedBreaker, DEFAULT_BREAKER_RULES as RULES } from './breaker.ts';

const RUNS = { numRuns: process.env.FOREWORD_TEST_LONG === '1' ? 50_000 : 2000 };
/** Long runs take their time, and so does a busy machine. */
const TIMEOUT_MS = 300_000;
const START = Date.UTC(2026, 0, 1, 12);
const SKEW = 60_000;
const DAY = 86_400_000;
const JUST_PASSED = 300_000;
const CLASSES: readonly ErrorClass[] = [
  ...(['quota', 'rate_limit', 'overload', 'auth', 'setup', 'network'] as const),
  ...(['context', 'missing', 'crash', 'silence', 'other'] as const),
];

interface Model {
  now: number;
  /** The agent may not be called in this time. */
  pause: Span | undefined;
  reason: string;
  row: number;
  caller: (Span & { name: string }) | undefined;
  strokes: number[];
  calls: number;
  /** Named by the agent and believed; forgotten when something ends the pause or the clock is set. */
  promisedReset: number;
}

interface Span {
  from: number;
  until: number;
}

interface Store {
  record: ReturnType<typeof closedBreaker>;
}

const holds = (span: Span | undefined, now: number): span is Span =>
  span !== undefined && span.until > span.from && now < span.until && now >= span.from - SKEW;
const isClosed = (model: Model): boolean => model.pause === undefined && model.caller === undefined;
const expected = (model: Model): 'yes' | 'trial' | 'no' =>
  isClosed(model) ? 'yes' : holds(model.caller ?? model.pause, model.now) ? 'no' : 'trial';

/** One thing that happens: to the paper, then to the store, then both are compared. */
class Happens implements fc.Command<Model, Store> {
  readonly #name: string;
  readonly #happen: (model: Model, store: Store) => void;
  constructor(name: string, happen: (model: Model, store: Store) => void) {
    this.#name = name;
    this.#happen = happen;
  }
  check(): boolean {
    return true;
  }
  run(model: Model, store: Store): void {
    this.#happen(model, store);
    compare(model, store);
  }
  toString(): string {
    return this.#name;
  }
}

function compare(model: Model, store: Store): void {
  const found = availability(store.record, model.now);
  expect(found.kind).toBe(expected(model));
  if (model.now < model.promisedReset) expect(found.kind).toBe('no');
  if (found.kind !== 'no') return;
  const span = (model.caller ?? model.pause) as Span;
  expect(found.until).toBeGreaterThan(model.now);
  expect(found.until - model.now).toBeLessThanOrEqual(span.until - span.from);
  expect(found.reason).toBe(model.reason);
  // After the named wait it is free after the pause and the tolerance for other machines' clocks at the latest.
  expect(availability(store.record, found.until + SKEW).kind).toBe('trial');
}

function send(model: Model, store: Store, event: BreakerEvent): void {
  store.record = advance(store.record, event, model.now, RULES);
}

function close(model: Model): void {
  Object.assign(model, { pause: undefined, caller: undefined, row: 0, strokes: [], promisedReset: 0 });
}

function fail(model: Model, errorClass: ErrorClass, resetAt: number | undefined): void {
  const { now } = model;
  const state = expected(model);
  const isInTrial = model.caller !== undefined || state === 'trial';
  if (errorClass === 'context') {
    if (isInTrial) close(model);
    return;
  }
  const isAtOnce = ['quota', 'rate_limit', 'auth', 'setup'].includes(errorClass);
  if (state === 'yes' && !isAtOnce) {
    model.strokes = [...model.strokes.filter((at) => at > now - 300_000 && at <= now + SKEW), now];
    if (model.strokes.length < 3) return;
  }
  if (state === 'no' && !isInTrial && !isAtOnce) return;
  const goesOn = now <= ((model.caller ?? model.pause)?.until ?? 0) + 900_000;
  const row = isInTrial ? (goesOn ? model.row + 1 : 1) : Math.max(model.row, 1);
  const doubled = Math.min(60_000 * 2 ** (row - 1), 900_000);
  const isLimit = errorClass === 'quota' || errorClass === 'rate_limit';
  const isBelieved = isLimit && resetAt !== undefined && resetAt > now && resetAt <= now + 7 * DAY;
  const usual = now + (errorClass === 'rate_limit' || !isAtOnce ? doubled : 3_600_000);
  // A time that has just passed is over soon.
  const hasPassed = isLimit && resetAt !== undefined && resetAt <= now && resetAt > now - JUST_PASSED;
  const named = isBelieved ? resetAt : hasPassed ? now + 60_000 : usual;
  const until = errorClass === 'rate_limit' && row > 1 ? Math.max(named, usual) : named;
  if (state === 'no' && !isInTrial && until <= (model.pause?.until ?? 0)) return;
  Object.assign(model, { pause: { from: now, until }, caller: undefined, row, strokes: [], reason: errorClass });
  if (isBelieved) model.promisedReset = Math.max(model.promisedReset, resetAt);
}

const passes = fc
  .oneof(fc.integer({ min: 0, max: 90_000 }), fc.integer({ min: 0, max: 3 * 3_600_000 }))
  .map((ms) => new Happens(`${ms} ms pass`, (model) => Object.assign(model, { now: model.now + ms })));

const isSet = fc.oneof(fc.integer({ min: -50_000, max: -1 }), fc.integer({ min: -3 * DAY, max: 30 * DAY })).map(
  (ms) =>
    new Happens(`clock is set by ${ms}`, (model) => {
      model.now += ms;
      model.promisedReset = 0;
    }),
);

/** From now; often close to it. */
const RESETS = fc.option(
  fc.oneof(fc.integer({ min: -400_000, max: 400_000 }), fc.integer({ min: -DAY, max: 9 * DAY })),
  {
    nil: undefined,
  },
);

const fails = fc.tuple(fc.constantFrom(...CLASSES), RESETS).map(
  ([errorClass, offset]) =>
    new Happens(`fails: ${errorClass}, reset ${offset}`, (model, store) => {
      const resetAt = offset === undefined ? undefined : model.now + offset;
      fail(model, errorClass, resetAt);
      send(model, store, { kind: 'failed', class: errorClass, ...(resetAt === undefined ? {} : { resetAt }) });
    }),
);

const succeeds = fc.constant(
  new Happens('succeeds', (model, store) => {
    if (isClosed(model)) model.strokes = [];
    else if (model.caller !== undefined || expected(model) === 'trial') close(model);
    send(model, store, { kind: 'succeeded' });
  }),
);

const isMended = fc.constant(
  new Happens('a run begins', (model, store) => {
    const isPaused = model.caller === undefined && expected(model) === 'no' && ['auth', 'setup'].includes(model.reason);
    if (isPaused && model.pause !== undefined) {
      Object.assign(model, { pause: { from: model.pause.from, until: model.now }, promisedReset: 0 });
    }
    send(model, store, { kind: 'run-begun' });
  }),
);

/** Several supervisors read at the same time and try to write; the store takes the first write only. */
const areEager = fc
  .tuple(fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 }), fc.integer({ min: -5, max: 2 * DAY }))
  .map(
    ([names, leaseMs]) =>
      new Happens(`${names} want the trial for ${leaseMs}`, (model, store) => {
        const read = store.record;
        const before = expected(model);
        const winners: string[] = [];
        for (const owner of names.map((name) => `${name} at call ${model.calls++}`)) {
          const next = advance(read, { kind: 'trial-begun', owner, leaseUntil: model.now + leaseMs }, model.now, RULES);
          if (store.record !== read || next.state !== 'trial' || next.owner !== owner) continue;
          store.record = next;
          winners.push(owner);
        }
        expect(winners).toHaveLength(before === 'trial' ? 1 : 0);
        const [name] = winners;
        if (name === undefined) return;
        model.caller = { name, from: model.now, until: model.now + Math.min(leaseMs, 3_600_000) };
        // A lease that has ended before it began holds nobody off.
        if (leaseMs <= 0) model.caller.until = Number.NEGATIVE_INFINITY;
      }),
  );

test(
  'no order of events and no clock leaves an agent stuck, lets two try it, or forgets a reset time',
  () => {
    fc.assert(
      fc.property(
        fc.commands([passes, passes, isSet, fails, fails, succeeds, isMended, areEager], {
          maxCommands: 40,
          size: 'max',
        }),
        (commands) => {
          fc.modelRun(
            () => ({
              model: {
                now: START,
                pause: undefined,
                reason: '',
                row: 0,
                caller: undefined,
                strokes: [],
                calls: 0,
                promisedReset: 0,
              },
              real: { record: closedBreaker('codex') },
            }),
            commands,
          );
        },
      ),
      RUNS,
    );
  },
  TIMEOUT_MS,
);
