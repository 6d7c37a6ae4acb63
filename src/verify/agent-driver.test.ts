import { expect, test } from 'vitest';
import type { Interactive } from '../kernel/agent.ts';
import type { LiveScreen } from '../kernel/screen.ts';
import type { Terminal } from '../kernel/terminal.ts';
import type { Readiness } from '../sessions/readiness.ts';
import { type ManualClock, manualClock } from '../testing/manual-clock.ts';
import { AgentCannotStart, AgentHangs, driveAgent } from './agent-driver.ts';

const AGENT = { command: ['pi'], submit: { key: 'enter', delayMs: 0 } } as unknown as Interactive;
const readiness = (state: Readiness['state'], composer: Readiness['composer'], asks?: string): Readiness =>
  ({ state, composer, evidence: `it is ${state}`, ...(asks === undefined ? {} : { asks }) }) as Readiness;
const EMPTY = readiness('ready', { kind: 'empty' });
const TEXT = readiness('ready', { kind: 'text', text: 'Good morning.' });
const BUSY = readiness('busy', { kind: 'absent' });

/** A terminal whose screen is what the test sets, and what was done to it. */
async function field(agent: Interactive = AGENT, more: { lines?: string[]; blankMs?: number } = {}) {
  const clock = manualClock();
  const seen: string[] = [];
  const state = { verdict: readiness('starting', { kind: 'absent' }), since: clock.now(), changedAt: clock.now() };
  const show = (verdict: Readiness): void => {
    Object.assign(state, { verdict, since: clock.now(), changedAt: clock.now() });
  };
  const on = { paste: TEXT, enter: BUSY as Readiness | undefined };
  const terminal = {
    write: async () => undefined,
    paste: async (text: string) => {
      seen.push(`paste ${text}`);
      show(on.paste);
    },
    pressEnter: async () => {
      seen.push('enter');
      if (on.enter !== undefined) show(on.enter);
    },
    end: async () => void seen.push('end'),
  } as unknown as Terminal;
  const close = (what: string) => () => void seen.push(`${what} closed`);
  const driver = await driveAgent(
    { command: ['pi'], cwd: '/', env: {}, agent, ...(more.blankMs === undefined ? {} : { blankMs: more.blankMs }) },
    {
      clock,
      openTerminal: async () => terminal,
      openScreen: async () => ({ close: close('screen') }) as unknown as LiveScreen,
      watchScreen: () => ({
        get verdict() {
          return state.verdict;
        },
        get since() {
          return state.since;
        },
        get changedAt() {
          return state.changedAt;
        },
        screen: { lines: more.lines ?? ['one', '', ''] },
        look: async () => undefined,
        close: close('watch'),
      }),
    },
  );
  return { driver, clock, show, seen, on };
}

/** Moves the clock until the work is done. */
async function settle<T>(clock: ManualClock, work: Promise<T>): Promise<T | Error> {
  const end = { done: undefined as T | Error | undefined };
  work.then(
    (value) => Object.assign(end, { done: value ?? 'done' }),
    (error) => Object.assign(end, { done: error }),
  );
  for (let turn = 0; turn < 2000 && end.done === undefined; turn += 1) await clock.advance(50);
  expect(clock.pending).toBe(0);
  return end.done ?? expect.fail('not done in time');
}

test('an agent is ready once its empty composer has not changed for a while', async () => {
  const { driver, clock, show } = await field();
  show(EMPTY);
  const before = clock.now();
  await settle(clock, driver.untilReady(5000));
  expect(clock.now() - before).toBeGreaterThanOrEqual(1000);
});

test('an agent that draws nothing is given up after 20 s, or after the time that it was given', async () => {
  const usual = await field(AGENT, { lines: [''] });
  expect(await settle(usual.clock, usual.driver.untilReady(40_000))).toMatchObject({
    message: 'showed nothing within 20 s',
  });
  const longer = await field(AGENT, { lines: [''], blankMs: 90_000 });
  const work = longer.driver.untilReady(80_000);
  await longer.clock.advance(30_000);
  longer.show(EMPTY);
  expect(await settle(longer.clock, work)).toBe('done');
});

test('an agent whose first screen stands still is given up after 30 s, one that goes on drawing when the time is up', async () => {
  const still = await field();
  const before = still.clock.now();
  const fault = await settle(still.clock, still.driver.untilReady(60_000));
  expect(fault).toBeInstanceOf(AgentCannotStart);
  expect(fault).toMatchObject({ message: 'was not ready, and drew nothing more for 30 s: it is starting' });
  expect(still.clock.now() - before).toBeLessThan(31_000);
  const drawing = await field();
  const work = drawing.driver.untilReady(60_000).catch((error: unknown) => error);
  for (let second = 0; second < 61; second += 1) {
    drawing.show(readiness('busy', { kind: 'absent' }));
    await drawing.clock.advance(1000);
  }
  expect(await work).toBeInstanceOf(AgentHangs);
});

test('a screen that keeps changing is waited for where the agent needs quiet', async () => {
  const { driver, clock, show } = await field({ ...AGENT, quietMs: 2000 });
  show(EMPTY);
  const before = clock.now();
  await settle(clock, driver.untilReady(5000));
  expect(clock.now() - before).toBeGreaterThanOrEqual(2000);
});

test('an agent that does not become ready, exits or shows a dialog is given up with the reason', async () => {
  const { driver, clock, show } = await field();
  expect(await settle(clock, driver.untilReady(3000))).toEqual(new Error('was not ready after 3 s: it is starting'));
  show(readiness('asking', { kind: 'absent' }, 'Trust this folder?'));
  expect(await settle(clock, driver.untilReady(9000))).toEqual(new Error('shows a dialog: Trust this folder?'));
  show(readiness('gone', { kind: 'absent' }));
  expect(await settle(clock, driver.untilReady(9000))).toEqual(new Error('exited before it was ready: one'));
});

test('a prompt is pasted and sent, and the time of the submit key is returned', async () => {
  const { driver, clock, show, seen } = await field();
  show(EMPTY);
  const pressedAt = await settle(clock, driver.submit('Good morning.'));
  expect(seen).toEqual(['paste Good morning.', 'enter']);
  expect(pressedAt).toBeLessThanOrEqual(clock.now());
});

test('a submit key that was swallowed is pressed once more', async () => {
  const { driver, clock, show, seen, on } = await field();
  show(EMPTY);
  on.enter = undefined;
  await settle(clock, driver.submit('Good morning.'));
  expect(seen).toEqual(['paste Good morning.', 'enter', 'enter']);
});

test('a prompt that the composer never shows is not sent', async () => {
  const { driver, clock, show, seen, on } = await field();
  show(EMPTY);
  on.paste = EMPTY;
  expect(await settle(clock, driver.submit('Good morning.'))).toEqual(new Error('did not show the typed prompt'));
  expect(seen).toEqual(['paste Good morning.']);
});

test('what is shown comes without empty lines at its end, and everything is closed with the agent', async () => {
  const { driver, seen } = await field();
  expect(driver.shown()).toBe('one');
  await driver.end();
  expect(seen).toEqual(['end', 'watch closed', 'screen closed']);
});
