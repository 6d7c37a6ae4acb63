import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { systemClock } from './clock.ts';

const HOUR_MS = 3_600_000;

test('a wait ends at once when its signal is aborted, and leaves no listener behind', async () => {
  const controller = new AbortController();
  const waiting = systemClock.wait(HOUR_MS, controller.signal);
  controller.abort();
  await waiting;
  expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
});

test('a wait with a signal that was aborted before ends at once', async () => {
  await systemClock.wait(HOUR_MS, AbortSignal.abort());
});

test('a wait that ends by itself leaves no listener behind', async () => {
  const { signal } = new AbortController();
  await systemClock.wait(0, signal);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
