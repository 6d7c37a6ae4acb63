import { expect, test } from 'vitest';
import { loadConfig } from '../config/load.ts';
import { memoryStores } from '../stores/memory.ts';
import { manualClock } from '../testing/manual-clock.ts';
import type { Sources } from './sources/port.ts';
import { type StartupProject, startupText } from './startup-text.ts';

const PROJECT: StartupProject = {
  config: loadConfig({ root: '/nowhere', env: {} }).config,
  sources: {
    git: async () => ({ kind: 'absent' }),
    changed: async () => ({ kind: 'absent' }),
    tasks: () => ({ kind: 'absent' }),
    notes: () => ({ kind: 'absent' }),
    policy: () => ({ kind: 'absent' }),
    // A source that is added later is not this test's business.
  } as Partial<Sources> as Sources,
  clock: manualClock(),
  redact: (text) => text,
  readStores: async () => memoryStores(),
  emptyStores: async () => memoryStores(),
  codeSearch: async () => undefined,
  state: { tree: () => 'main' },
};

test('a store that cannot be opened is named, and the rest is composed without it', async () => {
  const readStores = () => Promise.reject(new Error('connection refused'));
  const text = await startupText({ ...PROJECT, readStores });
  expect(text).toContain('the store (connection refused)');
  expect(await startupText(PROJECT)).not.toContain('the store');
  expect(text).toBe(text.trimEnd());
});
