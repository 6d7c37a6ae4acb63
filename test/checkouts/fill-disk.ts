// Checkouts on a small disk: `fill-disk STATE ROOT BIG SMALL`. Prints how each step ended; the state folder is on the small disk.

import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isForewordError } from '../../src/kernel/errors.ts';
import { observeCheckout, openCheckouts, resetCheckout, treeOf } from '../../src/runs/checkouts/index.ts';
import { projectPlaces } from '../../src/system/files/project-state.ts';

const [, , state = '', root = '', big = '', small = ''] = process.argv;
const places = projectPlaces(state, `p${'0'.repeat(16)}`);
const at = places.checkout(1);
const source = await openCheckouts({ root, work: places.work, env: process.env });
const reset = async (commit: string, shared: readonly string[] = []) => {
  const tree = await treeOf(source.own, commit);
  await resetCheckout(source, at, { commit, tree, branch: 'refs/heads/foreword/r1', shared });
};
const added = Array.from({ length: 30 }, (_, index) => join(at.tree, `added${index}`));
const steps: readonly (() => Promise<void>)[] = [
  () => reset(small),
  () => reset(big),
  () => reset(small),
  () => reset(small, ['node_modules']),
  () => reset(small),
  async () => {
    for (const path of added) writeFileSync(path, randomBytes(60_000));
    await observeCheckout(source, at);
  },
  () => {
    for (const path of added) rmSync(path, { force: true });
    return reset(small);
  },
];
for (const step of steps) {
  const startedAt = performance.now();
  const end = await step().then(
    () => 'ok',
    (error: unknown) => (isForewordError(error) ? error.code : String(error)),
  );
  console.log(`${end} ${performance.now() - startedAt < 5_000 ? 'soon' : 'late'}`);
}
