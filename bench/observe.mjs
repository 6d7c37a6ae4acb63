// Observing what changed in a repository of 50,000 files, against `git status` in the same rounds. A round changes three
// files, adds one and takes a snapshot and the changes since the one before, as a run does after each attempt.
// Usage: node bench/observe.mjs

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importSource } from '../scripts/import-source.mjs';
import { interleave, ms, table, times } from './measure.mjs';

const { observeGitTree } = await importSource('test/observers/observe-tree.ts');
const folder = mkdtempSync(join(tmpdir(), 'foreword-bench-'));
const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };

for (const [count, rounds] of [
  [1000, 40],
  [50_000, 15],
]) {
  const root = join(folder, String(count));
  const git = makeRepository(root, count);
  const observer = observeGitTree(root, { stateFolder: join(folder, `state-${count}`), searchPath: env.PATH });
  const startedAt = performance.now();
  let before = await observer.snapshot();
  const first = performance.now() - startedAt;
  let round = 0;
  const change = () => {
    round += 1;
    for (const index of [1, 2, 3]) writeFileSync(join(root, path(index)), `changed in round ${round}\n`);
    writeFileSync(join(root, `new-${round}`), 'new\n');
  };
  const observe = async () => {
    const after = await observer.snapshot();
    const changes = await observer.changes(before, after);
    before = after;
    return changes;
  };
  // Each with changes of its own round, so that both look at files they have not seen.
  const result = await interleave(
    {
      change,
      status: () => git('status', '--porcelain'),
      observe: async () => {
        const { created, updated } = await observe();
        if (created.length !== 1 || updated.length !== 3) throw new Error('a change was not seen');
      },
      statusIdle: () => git('status', '--porcelain'),
      observeIdle: observe,
    },
    rounds,
  );
  table(`what changed, git repository of ${count} files`, [
    ['first snapshot', ms(first)],
    ['git status, four files changed', ms(result.status)],
    ['ours: snapshot and changes', ms(result.observe)],
    ratio(result.observe / result.status, count),
    ['git status, nothing changed', ms(result.statusIdle)],
    ['ours, nothing changed', ms(result.observeIdle)],
    ratio(result.observeIdle / result.statusIdle, count),
  ]);
  await observer.close();
}

rmSync(folder, { recursive: true });

function ratio(value, count) {
  return ['ratio', times(value), ...(count === 50_000 ? ['at most 1.5 x', value <= 1.5] : [])];
}

function path(index) {
  return `part${Math.floor(index / 1000)}/module${Math.floor(index / 20)}/file${index}.ts`;
}

function makeRepository(root, count) {
  const git = (...args) => execFileSync('git', args, { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] });
  for (let index = 0; index < count; index += 1) {
    const file = join(root, path(index));
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, `export const value${index} = ${index};\n`.repeat(20));
  }
  git('init', '--quiet');
  git('add', '--all');
  git('-c', 'user.name=x', '-c', 'user.email=x', 'commit', '--quiet', '--message', 'x');
  return git;
}
