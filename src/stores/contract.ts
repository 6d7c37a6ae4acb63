// The contract of a store: what memory, SQLite and Redis, and any store added later, must do alike. Independent of a
// test runner, and published, so that a store written elsewhere can be held to it:
//   for (const { name, run } of storeContract) test(name, () => run(openAnEmptyStore));

import type { Stores } from '../kernel/stores.ts';
import { attemptContract } from './contract/attempts.ts';
import { fleetContract } from './contract/fleet.ts';
import { hostileContract } from './contract/hostile.ts';
import { logContract } from './contract/logs.ts';
import { taskContract } from './contract/tasks.ts';
import { versionedContract } from './contract/versioned.ts';
import { wholeContract } from './contract/whole.ts';

export interface ContractCase {
  /** A sentence about behaviour. */
  readonly name: string;
  /** Rejects when the behaviour is missing. `open` must return an empty store at each call; the case closes it. */
  run(open: () => Promise<Stores>): Promise<void>;
}

export const storeContract: readonly ContractCase[] = [
  ...logContract,
  ...versionedContract,
  ...taskContract,
  ...attemptContract,
  ...fleetContract,
  ...hostileContract,
  ...wholeContract,
];
