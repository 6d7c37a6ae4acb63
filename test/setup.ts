// Property tests take the same cases in every everyday run, so that a landing does not depend on luck; the long run takes
// new ones each time, and a failure there prints its seed. Files follow each other in one process: each finds the variables of
// the environment as they were before the first.

import fc from 'fast-check';
import { afterAll, vi } from 'vitest';
import { IS_LONG } from './scale.ts';

if (!IS_LONG) fc.configureGlobal({ seed: 20_261_115 });

const before = { ...process.env };
afterAll(() => {
  vi.unstubAllEnvs();
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});
