import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { askForRedraw } from './redraw.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function field(size = { cols: 80, rows: 24 }) {
  const now = { ...size };
  const sizes: number[] = [];
  const terminal = {
    size: () => ({ ...now }),
    resize: (next: { readonly cols: number; readonly rows: number }) => {
      Object.assign(now, next);
      sizes.push(next.rows);
    },
  };
  return { terminal, sizes, now };
}
const text = (length: number) => Buffer.from(`\x1b[1;31m${'x'.repeat(length)}\x1b[m`);

test('an agent that draws at once is asked once', () => {
  const { terminal, sizes } = field();
  const redraw = askForRedraw(terminal, { now: () => 1000 });
  vi.advanceTimersByTime(110);
  redraw.seen(text(400));
  vi.advanceTimersByTime(60_000);
  expect(sizes).toEqual([23, 24]);
});

test('a slow agent that did not notice is asked again, with more time, and is left with its own size', () => {
  const { terminal, sizes } = field();
  const redraw = askForRedraw(terminal, { now: () => Date.now() });
  vi.advanceTimersByTime(900);
  expect(sizes).toEqual([23, 24, 23]);
  // A spinner is no screen.
  for (let tick = 0; tick < 5; tick += 1) {
    redraw.seen(text(12));
    vi.advanceTimersByTime(200);
  }
  redraw.seen(text(400));
  vi.advanceTimersByTime(60_000);
  expect(sizes.length).toBeLessThanOrEqual(6);
  expect(sizes.at(-1)).toBe(24);
});

test('one that draws nothing for another height is asked by its width, as Gemini CLI in a dialog', () => {
  const { terminal, now } = field();
  askForRedraw(terminal);
  const widths = new Set<number>();
  for (let ms = 0; ms < 10_000; ms += 50) {
    vi.advanceTimersByTime(50);
    widths.add(now.cols);
  }
  expect([...widths]).toEqual([80, 79]);
  expect(now).toEqual({ cols: 80, rows: 24 });
});

test('one that never draws is left in peace, and one that draws by itself is not asked', () => {
  const never = field();
  askForRedraw(never.terminal);
  vi.advanceTimersByTime(60_000);
  expect(never.sizes).toEqual([23, 24, 23, 24, 23, 24, 23, 24]);
  const own = field();
  const redraw = askForRedraw(own.terminal, { afterMs: 1000, now: () => 1000 });
  vi.advanceTimersByTime(500);
  redraw.seen(text(200));
  vi.advanceTimersByTime(60_000);
  expect(own.sizes).toEqual([]);
});

test('when nobody looks any more, the size is put right at once', () => {
  const { terminal, sizes } = field();
  const redraw = askForRedraw(terminal);
  vi.advanceTimersByTime(120);
  redraw.stop();
  vi.advanceTimersByTime(60_000);
  expect(sizes).toEqual([23, 24]);
});

test('a size that the person chose meanwhile stays', () => {
  const { terminal, sizes } = field();
  const redraw = askForRedraw(terminal);
  vi.advanceTimersByTime(120);
  terminal.resize({ cols: 100, rows: 40 });
  redraw.stop();
  expect(sizes).toEqual([23, 40]);
});
