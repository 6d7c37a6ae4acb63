import { expect, test } from 'vitest';
import { loadConfig } from '../config/load.ts';
import { memoryStores } from '../stores/memory.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { type StartupProject, startupText } from './startup-text.ts';

const PROJECT: StartupProject = {
  config: loadConfig({ root: '/nowhere', env: {} }).config,
  sources: {
    git: async () => ({ kind: 'absent' }),
    changed: async () => ({ kind: 'absent' }),
    tasks: () => ({ kind: 'absent' }),
    notes: () => ({ kind: 'absent' }),
    policy: () => ({ kind: 'absent' }),
  },
  clock: manualClock(),
  redact: (text) => text,
  readStores: async () => memoryStores(),
  emptyStores: async () => memoryStores(),
  codeSearch: async () => undefined,
};

test('a store that cannot be opened is named, and the rest is composed without it', async () => {
  const readStores = () => Promise.reject(new Error('connection refused'));
  const text = await startupText({ ...PROJECT, readStores });
  expect(text).toContain('the store (connection refused)');
  expect(await startupText(PROJECT)).not.toContain('the store');
  expect(text).toBe(text.trimEnd());
});
