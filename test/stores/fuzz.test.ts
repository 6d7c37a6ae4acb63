// Exports and store files that were spoiled at random or on purpose: every command that takes one ends soon, with an error that a
// person understands, and never changes the original.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { bundle, temporaryFolder } from '../bundle.ts';
import { IS_LONG, scaled } from '../scale.ts';
import { Child, endChildren } from './child.ts';

vi.setConfig({ testTimeout: IS_LONG ? 1_200_000 : 240_000 });

/** Of processor time: a busy machine is not a hang. */
const MOST_CPU_MS = 2_000;
/** Without a line for so long the process hangs. */
const SILENCE_MS = 30_000;

afterEach(endChildren);

test('a fuzzed export or store ends in a clean error or is used, and never hangs, crashes or is changed', async () => {
  const worker = bundle(join(import.meta.dirname, 'worker.ts'));
  const folder = temporaryFolder('fuzz');
  const seed = Number(process.env.FOREWORD_TEST_SEED ?? Date.now() % 1_000_000);
  const count = scaled(1_000);
  try {
    const child = new Child(process.execPath, [worker, 'fuzz', folder, String(seed), String(count)]);
    const stopped = watch(child);
    const status = await child.ended.finally(stopped);
    const results = child.lines.map(
      (line) => JSON.parse(line) as { index: number; way: string; outcome: string; cpuMs: number; problem?: string },
    );
    expect({ seed, status, done: results.length }).toEqual({ seed, status: { status: 0, signal: null }, done: count });
    const problems = results.filter(({ problem, cpuMs }) => problem !== undefined || cpuMs > MOST_CPU_MS);
    expect({ seed, problems }).toEqual({ seed, problems: [] });
    expect(new Set(results.map(({ way }) => way)).size).toBeGreaterThan(20);
    expect(results.some(({ outcome }) => outcome.startsWith('accepted'))).toBe(true);
    expect(results.some(({ outcome }) => outcome.startsWith('bad-input'))).toBe(true);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(worker);
  }
});

/** Kills a child that prints nothing for too long. Returns what ends the watch. */
function watch(child: Child): () => void {
  let seen = -1;
  const timer = setInterval(() => {
    if (child.lines.length === seen) child.signal('SIGKILL');
    seen = child.lines.length;
  }, SILENCE_MS);
  return () => clearInterval(timer);
}
