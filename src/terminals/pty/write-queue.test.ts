import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openWriteQueue } from './write-queue.ts';

/** A terminal with room for so many bytes; `room` is changed by the test. */
function makeTerminal() {
  const taken: number[] = [];
  const terminal = {
    room: 0,
    text: () => Buffer.from(taken).toString(),
    write: (bytes: Uint8Array) => {
      const some = bytes.subarray(0, terminal.room);
      terminal.room -= some.length;
      taken.push(...some);
      return some.length;
    },
  };
  return terminal;
}

/** What became of it, without waiting for it. */
function followed(put: Promise<void>) {
  const seen: { state: string; bytes?: number } = { state: 'waiting' };
  put.then(
    () => Object.assign(seen, { state: 'taken' }),
    (error: { bytes: number }) => Object.assign(seen, { state: 'refused', bytes: error.bytes }),
  );
  return seen;
}

describe('a write queue', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => {
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  test('writes at once what there is room for, and the rest when there is', async () => {
    const terminal = makeTerminal();
    terminal.room = 3;
    const put = followed(openWriteQueue(terminal).put(Buffer.from('hello')));
    expect(terminal.text()).toBe('hel');
    await vi.advanceTimersByTimeAsync(100);
    expect(put).toEqual({ state: 'waiting' });
    terminal.room = 10;
    await vi.advanceTimersByTimeAsync(20);
    expect([terminal.text(), put.state]).toEqual(['hello', 'taken']);
  });

  test('finishes one before it begins the next', async () => {
    const terminal = makeTerminal();
    const queue = openWriteQueue(terminal);
    const all = ['one', 'two', '', 'three'].map((text) => followed(queue.put(Buffer.from(text))));
    for (let round = 0; round < 30; round += 1) {
      terminal.room = 1;
      await vi.advanceTimersByTimeAsync(20);
    }
    expect(terminal.text()).toBe('onetwothree');
    expect(all.map(({ state }) => state)).toEqual(['taken', 'taken', 'taken', 'taken']);
  });

  test('refuses after ten seconds in which nothing was taken, and drops what was not begun', async () => {
    const terminal = makeTerminal();
    const queue = openWriteQueue(terminal);
    const put = followed(queue.put(Buffer.from('hello')));
    await vi.advanceTimersByTimeAsync(9_900);
    expect(put).toEqual({ state: 'waiting' });
    await vi.advanceTimersByTimeAsync(200);
    expect(put).toEqual({ state: 'refused', bytes: 0 });
    terminal.room = 10;
    const next = followed(queue.put(Buffer.from('later')));
    await vi.advanceTimersByTimeAsync(20);
    expect([terminal.text(), next.state]).toEqual(['later', 'taken']);
  });

  test('a text that was begun is refused with its count, and its rest still comes before anything else', async () => {
    const terminal = makeTerminal();
    terminal.room = 2;
    const queue = openWriteQueue(terminal);
    const [first, second] = [followed(queue.put(Buffer.from('begun'))), followed(queue.put(Buffer.from('other')))];
    await vi.advanceTimersByTimeAsync(10_100);
    expect([first, second]).toEqual([
      { state: 'refused', bytes: 2 },
      { state: 'refused', bytes: 0 },
    ]);
    const third = followed(queue.put(Buffer.from('third')));
    await vi.advanceTimersByTimeAsync(20);
    expect(third).toEqual({ state: 'refused', bytes: 0 });
    terminal.room = 100;
    await vi.advanceTimersByTimeAsync(20);
    const last = followed(queue.put(Buffer.from('!')));
    await vi.advanceTimersByTimeAsync(20);
    expect([terminal.text(), last.state]).toEqual(['begun!', 'taken']);
  });

  test('a reader that is slow but reads is never refused', async () => {
    const terminal = makeTerminal();
    const put = followed(openWriteQueue(terminal).put(Buffer.alloc(20, 'x')));
    for (let round = 0; round < 20; round += 1) {
      await vi.advanceTimersByTimeAsync(9_000);
      terminal.room = 1;
    }
    await vi.advanceTimersByTimeAsync(20);
    expect(put).toEqual({ state: 'taken' });
  });

  test('is bounded', async () => {
    const queue = openWriteQueue(makeTerminal());
    const first = followed(queue.put(Buffer.alloc(3 * 1024 * 1024)));
    const second = followed(queue.put(Buffer.alloc(2 * 1024 * 1024)));
    await vi.advanceTimersByTimeAsync(1);
    expect([first.state, second]).toEqual(['waiting', { state: 'refused', bytes: 0 }]);
    queue.close();
  });

  test('refuses what waits and all that comes when it is closed or the terminal breaks', async () => {
    const terminal = makeTerminal();
    terminal.room = 1;
    const queue = openWriteQueue(terminal);
    const waiting = followed(queue.put(Buffer.from('ab')));
    queue.close();
    const later = followed(queue.put(Buffer.from('c')));
    const broken = openWriteQueue({
      write: () => {
        throw new Error('EIO');
      },
    });
    const failed = followed(broken.put(Buffer.from('d')));
    await vi.advanceTimersByTimeAsync(20);
    expect([waiting, later, failed]).toEqual([
      { state: 'refused', bytes: 1 },
      { state: 'refused', bytes: 0 },
      { state: 'refused', bytes: 0 },
    ]);
  });
});
