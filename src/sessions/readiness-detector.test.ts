import { expect, test } from 'vitest';
import { fakeAgent, fakeScreen } from '../testing/fake-session.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { ReadinessDetector } from './readiness-detector.ts';

function field() {
  const clock = manualClock();
  const screen = fakeScreen();
  const interactive = { ...fakeAgent().interactive, screens: [...fakeAgent().interactive.screens, BUSY] };
  const agents = [{ ...fakeAgent(), interactive }];
  const detector = new ReadinessDetector('mine', undefined, { agents, openScreen: async () => screen, clock });
  return { clock, screen, detector };
}

const BUSY = { state: 'busy', text: 'working' } as const;

test('an agent is ready when its prompt shows, and again when its first answer is complete', async () => {
  const { clock, detector, screen } = field();
  expect(await detector.checkOutput('loading')).toBeNull();
  expect(await detector.checkOutput('> ')).toEqual({ type: 'prompt_detected', timestamp: clock.now() });
  expect(await detector.checkOutput('working\n> ')).toBeNull();
  expect(await detector.checkOutput('> ')).toMatchObject({ type: 'first_response_complete' });
  expect(await detector.checkOutput(' ->foreword:ready \nworking')).toMatchObject({ type: 'explicit_ready' });
  await detector.close();
  expect(screen.isClosed()).toBe(true);
});

test('whoever waits gets the signal, or null after the timeout, and leaves no timer', async () => {
  const { clock, detector } = field();
  const late = detector.waitForSignal(1000);
  await clock.advance(1000);
  expect(await late).toBeNull();
  const waiting = detector.waitForSignal(1000);
  const signal = await detector.checkOutput('> ');
  expect(await waiting).toEqual(signal);
  expect(await detector.waitForSignal(1000)).toEqual(signal);
  expect(clock.pending).toBe(0);
});

test('an agent that is not known is refused', () => {
  const parts = { agents: [], openScreen: async () => fakeScreen(), clock: manualClock() };
  expect(() => new ReadinessDetector('mine', undefined, parts)).toThrow('There is no agent "mine" with a terminal.');
});
