// One supervisor that works until it is killed: `work-forever STATE ROOT`. It resets a checkout to one of two commits, changes
// files as an agent would, observes, commits and publishes, over and over.

import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  commitMessage,
  commitTree,
  observeCheckout,
  openCheckouts,
  publish,
  readRef,
  refsOf,
  resetCheckout,
  treeOf,
  updateRef,
} from '../../src/runs/checkouts/index.ts';
import { projectPlaces } from '../../src/system/files/project-state.ts';

const [, , state = '', root = '', ...commits] = process.argv;
const places = projectPlaces(state, `p${'0'.repeat(16)}`);
const at = places.checkout(1);
const refs = refsOf('r1');
const source = await openCheckouts({ root, work: places.work, env: process.env });
const { own, theirs, identity } = source;
const base = commits[0] as string;
for (let round = 0; ; round += 1) {
  const found = (await readRef(own, refs.tip)) ?? base;
  if (found === base) await updateRef(own, refs.tip, { from: null, to: base });
  const start = round % 2 === 0 ? found : (commits[1] as string);
  const tree = await treeOf(own, start);
  await resetCheckout(source, at, { commit: start, tree, branch: refs.branch, shared: ['node_modules'] });
  mkdirSync(join(at.tree, 'made'), { recursive: true });
  for (let index = 0; index < 20; index += 1) {
    writeFileSync(join(at.tree, `made/${process.pid}-${round}-${index}`), `${Math.random()}\n`);
    appendFileSync(join(at.tree, `part${index}/file${index}`), 'changed\n');
    writeFileSync(join(at.tree, `node_modules/p${index}`), 'changed\n');
  }
  const seen = await observeCheckout(source, at);
  if (start !== found) continue;
  const message = commitMessage({ task: `t${round}`, intent: 'x', result: '', agent: 'x', attempts: 1 });
  const commit = await commitTree(own, { tree: seen.tree, parents: [found], message, identity, at: new Date() });
  await updateRef(own, refs.tip, { from: found, to: commit });
  const done = await publish(own, theirs, {
    branch: refs.branch,
    commit,
    from: found === base ? null : found,
    base: { ref: refs.base, commit: base },
  });
  // Cut off between the two refs: ours is ahead, and the next commit brings both.
  if (done.kind === 'moved') {
    await publish(own, theirs, {
      branch: refs.branch,
      commit,
      from: done.found,
      base: { ref: refs.base, commit: base },
    });
  }
}
