// Tells a machine that is too busy for the deadline of a hook from a fault. A hook that its deadline ended has a line in its
// log, and what it did not print a later call prints: that is the promise, and it is held to here.

import { spawnSync } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import type { Ran } from './built.ts';
import type { Field } from './field.ts';

/** A claim that Node made itself counts as lost after two seconds; after the third it would be a minute. */
const MOST_TRIES = 4;
const LOST_MS = 2100;
/** An empty Node takes a tenth of this on a machine with nothing else to do. */
const SLOW_NODE_MS = 400;

/** How many calls were ended by their deadline. */
export function givenUp(field: Field): number {
  return field.log().match(/given up after 1[45]00 ms/g)?.length ?? 0;
}

/** Why a call may have been ended by its deadline without a fault of ours; throws when there is no such reason. */
export function whyBusy(): string {
  const begun = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  const took = Math.round(performance.now() - begun);
  const load = loadavg()[0] ?? 0;
  if (took < SLOW_NODE_MS && load <= availableParallelism())
    throw new Error(`a hook was ended by its deadline, but an empty Node takes ${took} ms and the load is ${load}`);
  return `an empty Node takes ${took} ms and the load is ${load}`;
}

/** The first output that was not kept back by a deadline. */
export async function answered(field: Field, call: () => Promise<Ran>): Promise<Ran> {
  let why = '';
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const before = givenUp(field);
    const ran = await call();
    if (ran.stdout !== '' || givenUp(field) === before) return ran;
    why = whyBusy();
    await new Promise((resolve) => setTimeout(resolve, LOST_MS));
  }
  throw new Error(`the machine is too busy for this test: ${why}`);
}
