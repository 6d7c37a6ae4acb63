// Random damage to a store file: never a crash, always a message, and the damaged bytes are kept.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { bundle, temporaryFolder } from '../bundle.ts';
import { IS_LONG, scaled } from '../scale.ts';
import { Child, endChildren } from './child.ts';

vi.setConfig({ testTimeout: IS_LONG ? 1_200_000 : 120_000 });

afterEach(endChildren);

test('a store file damaged at random is set aside or reported, kept as it was, and the tool works on', async () => {
  const worker = bundle(join(import.meta.dirname, 'worker.ts'));
  const folder = temporaryFolder('corruption');
  const seed = Number(process.env.FOREWORD_TEST_SEED ?? Date.now() % 1_000_000);
  const count = scaled(2_000);
  try {
    const child = new Child(process.execPath, [worker, 'corrupt', folder, String(seed), String(count)]);
    const results = (await child.finish()).map(
      (line) => JSON.parse(line) as { index: number; way: string; outcome: string; problem?: string },
    );
    const problems = results.filter(({ problem }) => problem !== undefined);
    expect({ seed, problems }).toEqual({ seed, problems: [] });
    expect(results.length).toBe(count);
    const outcomes = new Set(results.map(({ outcome }) => outcome));
    expect(outcomes.has('set aside')).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
    rmSync(worker);
  }
});
