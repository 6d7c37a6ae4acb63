import { describe, test } from 'vitest';
import { storeContract } from './contract.ts';
import { memoryStores } from './memory.ts';

describe('stores in memory', () => {
  for (const { name, run } of storeContract) test(name, () => run(async () => memoryStores()));
});
