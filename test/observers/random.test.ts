// Random work in a repository, file operations and git commands in any order: after each step the snapshot is the tree
// that git itself makes, and the changes are those that git itself names.

import { lstatSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../bundle.ts';
import { GIT_PATH, initialised, isolatedEnvironment, type RealGit, realGit } from '../git/real-git.ts';
import { scaled } from '../scale.ts';
import { observeGitTree } from './observe-tree.ts';

const path = fc.constantFrom('a', 'b', 'dir/a', 'dir/b', 'dir/deep/a', 'a/below', 'x y', 'i.log');
const content = fc.constantFrom('', '1\n', '2\n', '1\n2\n', 'long\n'.repeat(10));
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('write' as const), path, content }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('remove' as const, 'link' as const, 'mode' as const), path }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('git' as const),
      args: fc.constantFrom(
        ['add', '--all'],
        ['reset', '--quiet'],
        ['commit', '--quiet', '--allow-empty', '--all', '--message', 'x'],
        ['checkout', '--quiet', '--', '.'],
        ['stash', '--quiet'],
        ['rm', '-r', '--quiet', '--cached', '--ignore-unmatch', 'dir'],
        ['clean', '-fd', '--quiet'],
      ),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

test('whatever is done, git says the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const folder = temporaryFolder('observe-random');
      try {
        await compareWithGit(folder, steps);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }),
    { numRuns: scaled(200) },
  );
});

async function compareWithGit(folder: string, steps: readonly Step[]): Promise<void> {
  const git = initialised(join(folder, 'repo'));
  git.write('.gitignore', '*.log\n');
  git.write('a', '1\n');
  git.write('dir/a', '1\n');
  git.commit();
  const judge = new Judge(git, folder);
  const observer = observeGitTree(git.root, { stateFolder: join(folder, 'state'), searchPath: GIT_PATH });
  let before = await observer.snapshot();
  expect(before).toBe(judge.tree());
  for (const each of steps) {
    take(git, each);
    const after = await observer.snapshot();
    expect([each, after]).toEqual([each, judge.tree()]);
    expect(await observer.changes(before, after)).toEqual(judge.changes(before, after));
    before = after;
  }
}

function take(git: RealGit, each: Step): void {
  if (each.do === 'git') {
    git.try(...each.args);
    return;
  }
  const full = join(git.root, each.path);
  makeRoom(git.root, each.path);
  if (each.do === 'link') symlinkSync('b', full);
  if (each.do === 'write') writeFileSync(full, each.content);
  if (each.do === 'mode') writeFileSync(full, '1\n', { mode: 0o755 });
}

/** Nothing stands at the path, and its folders are folders: a file or a link on the way goes. */
function makeRoom(root: string, path: string): void {
  const parts = path.split('/').slice(0, -1);
  for (let count = 1; count <= parts.length; count++) {
    const folder = join(root, ...parts.slice(0, count));
    if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) rmSync(folder, { force: true });
    mkdirSync(folder, { recursive: true });
  }
  rmSync(join(root, path), { recursive: true, force: true });
}

/** Real git with an index of its own, in which every file is compared by content. */
class Judge {
  readonly #git: RealGit;
  readonly #index: string;

  constructor(git: RealGit, folder: string) {
    mkdirSync(join(folder, 'judge-objects'));
    this.#index = join(folder, 'judge-index');
    this.#git = realGit(git.root, {
      ...isolatedEnvironment(folder),
      GIT_INDEX_FILE: this.#index,
      GIT_OBJECT_DIRECTORY: join(folder, 'judge-objects'),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: [join(git.root, '.git/objects'), join(folder, 'state/objects')].join(':'),
    });
  }

  tree(): string {
    this.#git.run('add', '--all');
    utimesSync(this.#index, 1, 1);
    return this.#git.run('write-tree');
  }

  changes(before: string, after: string) {
    const names = (filter: string) =>
      this.#git
        .run('diff-tree', '-r', '-z', '--no-renames', '--name-only', `--diff-filter=${filter}`, before, after)
        .split('\0')
        .filter((name) => name !== '')
        .sort();
    const lines = this.#git.run('diff-tree', '-r', '--no-renames', '--raw', '--numstat', before, after).split('\n');
    const links = new Set(
      lines.filter((line) => /^:(120000|000000) (120000|000000) /.test(line)).map((line) => line.split('\t')[1]),
    );
    const counts = lines.map((line) => /^(\d+)\t(\d+)\t(.*)$/.exec(line)).filter((match) => match !== null);
    const sum = (group: 1 | 2) =>
      counts.reduce((all, match) => all + (links.has(match[3]) ? 0 : Number(match[group])), 0);
    return { created: names('A'), updated: names('MT'), deleted: names('D'), linesAdded: sum(1), linesRemoved: sum(2) };
  }
}
