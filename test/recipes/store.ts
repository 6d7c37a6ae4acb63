import { addBefore, newFile, type Recipe } from './recipe.ts';

export const store: Recipe = {
  heading: 'Add a store',
  changes: [
    newFile(
      'src/stores/shelf/open.ts',
      `// The store on a shelf: in memory, under a name of its own.

import type { Stores } from '../../kernel/stores.ts';
import { memoryStores } from '../memory.ts';

export async function openShelf(): Promise<Stores> {
  const stores = memoryStores();
  return { ...stores, durability: async () => ({ ...(await stores.durability()), kind: 'shelf' }) };
}
`,
    ),
    addBefore('src/stores/open.ts', '  redis:', "  shelf: async () => (await import('./shelf/open.ts')).openShelf(),"),
  ],
  test: {
    path: 'src/stores/shelf/shelf.test.ts',
    text: `import { expect, test } from 'vitest';
import { stateOf } from '../../system/files/open-state.ts';
import { storeContract } from '../contract.ts';
import { openToLook } from '../open.ts';
import { openShelf } from './open.ts';

for (const { name, run } of storeContract) test(name, () => run(openShelf));

const NO_FLEETS = {
  get: () => undefined,
  keep: (_: string, id: string) => id,
  join: () => undefined,
  project: () => ({ roots: [], folder: '' }),
};

test('its URL opens it', async () => {
  const choice = {
    state: stateOf('/nowhere', '/nowhere'),
    servers: { allowVolatile: false, allowPlainRedis: false },
    fleets: async () => NO_FLEETS,
    store: 'shelf://top',
  };
  const stores = await openToLook(choice, 100);
  expect((await stores.durability()).kind).toBe('shelf');
});
`,
  },
  watchers: ['src/stores/open.test.ts'],
  forgotten: { path: 'src/stores/open.ts', found: { test: 'src/stores/open.test.ts' } },
};
