import { afterEach, expect, test, vi } from 'vitest';
import type { Call } from './command.ts';
import { workerStops } from './worker-stops.ts';

afterEach(() => vi.restoreAllMocks());

test('the first signal drains, the second ends the agents, a third kills what is left and exits at once', () => {
  const notes: string[] = [];
  const call = { out: { note: (text: string) => notes.push(text) }, whenUnread: () => undefined } as unknown as Call;
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  const before = process.listeners('SIGHUP');
  const stops = workerStops(call);
  try {
    const [signalled = () => undefined] = process.listeners('SIGHUP').filter((each) => !before.includes(each));
    const killed: string[] = [];
    stops.killWith(() => killed.push('all'));
    const signal = () => signalled('SIGHUP');
    signal();
    expect([stops.drain.aborted, stops.end.aborted]).toEqual([true, false]);
    signal();
    expect([stops.end.aborted, killed, exit.mock.calls]).toEqual([true, [], []]);
    expect(notes).toHaveLength(2);
    signal();
    expect([killed, exit.mock.calls]).toEqual([['all'], [[143]]]);
  } finally {
    stops.close();
  }
  expect(process.listeners('SIGHUP')).toEqual(before);
});
