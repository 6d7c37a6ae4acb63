// Checkouts of runs, in a repository of 20,000 files: the first one against `git worktree add`, and a reset after ten changed
// files against `git status` in the person's repository, in the same rounds.
// Usage: node bench/checkout.mjs

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importSource } from '../scripts/import-source.mjs';
import { interleave, ms, table, times } from './measure.mjs';

const { observeCheckout, openCheckouts, resetCheckout, removeCheckout, treeOf } =
  await importSource('src/runs/checkouts/index.ts');
const { projectPlaces } = await importSource('src/system/files/project-state.ts');
const COUNT = 20_000;
const folder = mkdtempSync(join(tmpdir(), 'foreword-bench-'));
const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
const root = join(folder, 'project');
const git = makeRepository();
const places = projectPlaces(join(folder, 'state'), `p${'0'.repeat(16)}`);
const source = await openCheckouts({ root, work: places.work, env });
const commit = git('rev-parse', 'HEAD').toString().trim();
const target = { commit, tree: await treeOf(source.own, commit), branch: 'refs/heads/foreword/bench', shared: [] };

const worktree = join(folder, 'worktree');
const first = await interleave(
  {
    worktree: () => git('worktree', 'add', '--quiet', '--detach', worktree, commit),
    removeTheirs: () => git('worktree', 'remove', '--force', worktree),
    checkout: () => resetCheckout(source, places.checkout(1), target),
    removeOurs: () => removeCheckout(places.checkout(1)),
  },
  5,
  1,
);
table(`a first checkout of ${COUNT} files`, [
  ['git worktree add', ms(first.worktree)],
  ['ours', ms(first.checkout)],
  ratio(first.checkout / first.worktree, 1.5),
]);

await resetCheckout(source, places.checkout(1), target);
const { tree } = places.checkout(1);
let round = 0;
const change = (at) => {
  round += 1;
  for (let index = 0; index < 10; index += 1)
    writeFileSync(join(at, path(index * 1000)), `changed in round ${round}\n`);
};
const again = await interleave(
  {
    changeTheirs: () => change(root),
    status: () => git('status', '--porcelain'),
    changeOurs: () => change(tree),
    reset: () => resetCheckout(source, places.checkout(1), target),
    changeAgain: () => change(tree),
    observe: () => observeCheckout(source, places.checkout(1)),
    resetAgain: () => resetCheckout(source, places.checkout(1), target),
  },
  15,
);
table(`ten changed files of ${COUNT}`, [
  ['git status', ms(again.status)],
  ['ours: reset', ms(again.reset)],
  ratio(again.reset / again.status, 3),
  ['ours: observe everything', ms(again.observe)],
  ratio(again.observe / again.status),
  ['ours: reset of what was observed', ms(again.resetAgain)],
]);
rmSync(folder, { recursive: true });

function ratio(value, limit) {
  return ['ratio', times(value), ...(limit === undefined ? [] : [`at most ${limit} x`, value <= limit])];
}

function path(index) {
  return `part${Math.floor(index / 1000)}/module${Math.floor(index / 20)}/file${index}.ts`;
}

function makeRepository() {
  for (let index = 0; index < COUNT; index += 1) {
    const file = join(root, path(index));
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, `export const value${index} = ${index};\n`.repeat(20));
  }
  const run = (...args) => execFileSync('git', args, { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] });
  run('init', '--quiet');
  run('add', '--all');
  run('-c', 'user.name=x', '-c', 'user.email=x', 'commit', '--quiet', '--message', 'x');
  // As after a clone.
  run('repack', '-a', '-d', '-q');
  run('prune-packed', '-q');
  return run;
}
