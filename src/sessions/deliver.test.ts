import { expect, onTestFinished, test } from 'vitest';
import { typedText } from '../context/texts/delivery-text.ts';
import type { Interactive } from '../kernel/agent.ts';
import type { DeliveryRecord } from '../kernel/delivery.ts';
import type { Terminal } from '../kernel/terminal.ts';
import { notTyped } from '../kernel/terminal.ts';
import { memoryStores } from '../stores/memory.ts';
import { makeLineMatcher } from '../system/patterns/linear.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { type PlacementResult, startDelivering } from './deliver.ts';
import { openDeliveries } from './deliveries.ts';
import type { NewDelivery } from './delivery/record.ts';
import type { WatchedScreen } from './delivery/view.ts';
import type { Readiness } from './readiness.ts';
import type { AgentSignals } from './rest.ts';

const AGENT: Interactive = {
  command: ['agent'],
  screens: [],
  composer: { line: '^> (.*)$' },
  submit: { key: 'enter', delayMs: 100 },
  proofs: ['served'],
  ladder: ['typed'],
};
const READY: Readiness = { state: 'ready', evidence: '> ', composer: { kind: 'empty' } };
const BUSY: Readiness = { state: 'busy', evidence: 'Working', composer: { kind: 'empty' } };

/** The driver on a fake terminal and screen; time is the test's. What was done is in `acts`, in order. */
async function driver(place: PlacementResult = { evidence: 'AGENTS.md holds it' }) {
  let signals: AgentSignals = {};
  const clock = manualClock();
  const acts: string[] = [];
  const faults: unknown[] = [];
  const screen = { cols: 80, rows: 4, lines: ['> '], solid: ['> '], title: '', isAlternate: false };
  const cursor = { row: 0, col: 2, isVisible: true };
  const seen: { -readonly [Name in keyof WatchedScreen]: WatchedScreen[Name] } = {
    verdict: READY,
    screen: { ...screen, cursor, hasBracketedPaste: true },
    since: clock.now(),
    changedAt: clock.now(),
    movedAt: clock.now(),
    workBeganAt: undefined,
    knownAt: clock.now(),
    busyAt: undefined,
    turns: 0,
  };
  const terminal: Pick<Terminal, 'isRaw' | 'paste' | 'pressEnter'> = {
    isRaw: async () => true,
    paste: async (text) => void acts.push(`paste ${text.split('\n')[0]}`),
    pressEnter: async () => void acts.push('enter'),
  };
  const stores = memoryStores();
  let count = 0;
  const deliveries = await openDeliveries({
    session: 's1',
    agent: 'agent',
    stores,
    emit: async () => undefined,
    now: () => clock.now(),
    newId: (prefix) => `${prefix}_${++count}`,
    most: 100,
    onChange: () => undefined,
  });
  const deliverer = startDelivering({
    terminal: terminal as Terminal,
    agent: AGENT,
    watch: Object.assign(seen, {
      bytes: 0,
      look: async () => undefined,
      onChange: () => undefined,
      close: () => undefined,
    }),
    deliveries,
    signals: () => signals,
    version: { isMeasured: true },
    onInput: () => undefined,
    rules: {
      stableMs: 300,
      personMs: 3000,
      submitDelayMs: 100,
      readinessTimeoutMs: 30_000,
      retryBackoffs: [1000],
      fileFallbackAfterAttempts: 3,
      sendNotificationOnFailure: true,
    },
    match: makeLineMatcher(),
    clock,
    personAt: async () => undefined,
    holdKeys: (isHeld) => void acts.push(isHeld ? 'hold keys' : 'free keys'),
    hasTerminal: () => true,
    held: () => undefined,
    place: async (channel) => {
      acts.push(`place by ${channel}`);
      return place;
    },
    onFault: (error) => faults.push(error),
  });
  onTestFinished(async () => {
    await deliverer.close();
    expect(clock.pending).toBe(0);
    expect(faults).toEqual([]);
  });
  const given = (): void => {
    signals = { inputAt: clock.now() };
  };
  const shows = (verdict: Readiness): void => {
    seen.verdict = verdict;
    seen.since = clock.now();
    seen.turns += verdict.state === 'busy' ? 1 : 0;
    seen.busyAt = verdict.state === 'busy' ? clock.now() : seen.busyAt;
  };
  return {
    seen,
    given,
    terminal,
    shows,
    stores,
    acts: () => acts.splice(0).filter((act) => act !== 'free keys'),
    get: (): DeliveryRecord | undefined => deliveries.get('fw_1'),
    accept: (part: Partial<NewDelivery> = {}) =>
      deliveries.accept({
        id: 'fw_1',
        moment: 'session-start',
        priority: 'startup',
        text: 'read this',
        ladder: ['typed', 'file'],
        required: 'submitted',
        ...part,
      }),
    /** The time passes, and the driver looks. */
    after: async (ms: number) => {
      await clock.advance(ms);
      deliverer.wake();
      await deliverer.idle();
    },
  };
}

test('a text is pasted once, submitted once the composer shows it, and submitted when a turn began', async () => {
  const { accept, after, acts, get, shows } = await driver();
  const text = typedText(await accept());
  await after(1000);
  expect(acts()).toEqual(['hold keys', 'paste [fw_1]']);
  expect(get()).toMatchObject({ stage: 'typed' });
  shows({ ...READY, composer: { kind: 'text', text } });
  await after(50);
  expect(get()).toMatchObject({ stage: 'placed', proof: 'placed' });
  await after(100);
  expect(acts()).toEqual(['hold keys', 'enter']);
  expect(get()).toMatchObject({ stage: 'submitting', presses: 1 });
  shows(BUSY);
  await after(200);
  expect(get()).toMatchObject({ stage: 'ended', outcome: 'delivered', proof: 'submitted' });
  expect(acts()).toEqual([]);
});

test('a launch hook that does not run is followed by typing, four seconds after the agent is ready', async () => {
  const { accept, after, acts, get } = await driver();
  await accept({ ladder: ['hook', 'typed'], hookFiresAt: 'launch' });
  await after(3999);
  expect(get()).toMatchObject({ stage: 'queued', rung: 0, waiting: 'first prompt' });
  await after(1);
  expect(get()).toMatchObject({ rung: 1, reason: 'hook: the session-start hook did not run' });
  await after(1);
  expect(acts()).toEqual(['hold keys', 'paste [fw_1]']);
});

test('a launch hook of the first prompt is waited for until somebody gave one', async () => {
  const { accept, after, acts, get, shows, given } = await driver();
  await accept({ ladder: ['hook', 'typed'], hookFiresAt: 'first-prompt' });
  await after(60_000);
  expect(get()).toMatchObject({ stage: 'queued', rung: 0 });
  // What it shows by itself is no turn.
  shows(BUSY);
  await after(4000);
  expect(get()).toMatchObject({ rung: 0 });
  given();
  await after(1);
  expect(get()).toMatchObject({ rung: 1 });
  expect(acts()).toEqual([]);
});

test('a text that could not be written is tried again after a pause', async () => {
  const { accept, after, acts, get, terminal } = await driver();
  const { paste } = terminal;
  terminal.paste = async () => {
    throw notTyped('the pipe is full', { bytes: 0 });
  };
  await accept();
  await after(1000);
  expect(get()).toMatchObject({ stage: 'queued', attempts: 1, placedOn: [], reason: 'the pipe is full' });
  terminal.paste = paste;
  await after(999);
  expect(acts()).toEqual(['hold keys']);
  await after(1);
  expect(acts()).toEqual(['hold keys', 'paste [fw_1]']);
});

test('a channel that is placed by the session is asked once, and what it holds is kept', async () => {
  const { accept, after, acts, get } = await driver({ evidence: 'AGENTS.md holds it', file: 'AGENTS.md' });
  await accept({ ladder: ['file'], required: 'served' });
  await after(0);
  expect(get()).toMatchObject({ stage: 'placed', placedOn: ['file'], file: 'AGENTS.md', proof: 'placed' });
  await after(1000);
  expect(acts()).toEqual(['place by file']);
});

test('a channel that refuses is followed by the next one', async () => {
  const { accept, after, acts, get } = await driver({ refused: 'it is read-only' });
  await accept({ ladder: ['file', 'typed'] });
  await after(1000);
  expect(get()).toMatchObject({ rung: 1, reason: 'file: it is read-only' });
  await after(1);
  expect(acts()).toEqual(['place by file', 'hold keys', 'paste [fw_1]']);
});
