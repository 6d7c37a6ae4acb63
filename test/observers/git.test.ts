// Observing a git work tree, with real git as the judge: every snapshot is the tree that `git add --all` would make.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Changes, NO_CHANGES } from '../../src/runs/changes.ts';
import { temporaryFolder } from '../bundle.ts';
import { GIT_PATH, initialised, isolatedEnvironment, type RealGit, realGit } from '../git/real-git.ts';
import { type OpenObserver, observeGitTree } from './observe-tree.ts';

let folder: string;
let git: RealGit;
let observer: OpenObserver;

beforeEach(() => {
  folder = temporaryFolder('observe');
  git = initialised(join(folder, 'repo'));
  git.write('a.txt', 'one\ntwo\n');
  git.write('src/b.ts', 'b\n');
  git.write('.gitignore', '*.log\nbuild/\n');
  git.commit();
  observer = observe(git.root);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function observe(root: string, state = 'state'): OpenObserver {
  return observeGitTree(root, { stateFolder: join(folder, state), searchPath: GIT_PATH });
}

/** The tree that git itself would commit of everything, made aside. */
function treeByGit(root: string): string {
  const objects = join(folder, 'judge-objects');
  mkdirSync(objects, { recursive: true });
  const env = { ...isolatedEnvironment(folder), GIT_INDEX_FILE: join(folder, 'judge-index') };
  const plain = realGit(root);
  const from = join(plain.run('rev-parse', '--absolute-git-dir'), 'index');
  rmSync(env.GIT_INDEX_FILE, { force: true });
  if (existsSync(from)) {
    writeFileSync(env.GIT_INDEX_FILE, readFileSync(from));
    // So old that git compares every file by content.
    utimesSync(env.GIT_INDEX_FILE, 1, 1);
  }
  const shared = plain.run('rev-parse', '--path-format=absolute', '--git-common-dir');
  const judge = realGit(root, {
    ...env,
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: join(shared, 'objects'),
  });
  judge.run('add', '--all');
  return judge.run('write-tree');
}

/** What `act` changed, and that both snapshots are what git says. */
async function changesOf(act: () => void, on = observer, root = git.root): Promise<Changes> {
  const before = await on.snapshot();
  expect(before).toBe(treeByGit(root));
  act();
  const after = await on.snapshot();
  expect(after).toBe(treeByGit(root));
  return on.changes(before, after);
}

const none = NO_CHANGES;

describe('what an attempt does to files', () => {
  test('created, updated, deleted and renamed files are seen, with their lines', async () => {
    git.write('old name.txt', 'x\n'.repeat(20));
    const changes = await changesOf(() => {
      git.write('new.ts', '1\n2\n3\n');
      git.write('a.txt', 'one\nTWO\nthree\n');
      rmSync(join(git.root, 'src/b.ts'));
      renameSync(join(git.root, 'old name.txt'), join(git.root, 'new name.txt'));
    });
    expect(changes).toEqual({
      created: ['new name.txt', 'new.ts'],
      updated: ['a.txt'],
      deleted: ['old name.txt', 'src/b.ts'],
      linesAdded: 3 + 2 + 20,
      linesRemoved: 1 + 1 + 20,
    });
  });

  test('nothing done is no change, and the same snapshot', async () => {
    expect(await changesOf(() => undefined)).toEqual(none);
    expect(await changesOf(() => git.write('a.txt', 'one\ntwo\n'))).toEqual(none);
  });

  test('modes, empty files, links in place of files and folders in place of links', async () => {
    symlinkSync('a.txt', join(git.root, 'link'));
    git.write('dir/inner.txt', 'i\n');
    git.write('swap', 's\n');
    const changes = await changesOf(() => {
      chmodSync(join(git.root, 'a.txt'), 0o755);
      git.write('empty', '');
      rmSync(join(git.root, 'src/b.ts'));
      symlinkSync('../a.txt', join(git.root, 'src/b.ts'));
      rmSync(join(git.root, 'link'));
      git.write('link/now/a/folder', '');
      rmSync(join(git.root, 'dir'), { recursive: true });
      symlinkSync('src', join(git.root, 'dir'));
      rmSync(join(git.root, 'swap'));
      mkdirSync(join(git.root, 'swap'));
      git.write('swap/file', 's\n');
    });
    expect(changes).toMatchObject({
      created: ['dir', 'empty', 'link/now/a/folder', 'swap/file'],
      updated: ['a.txt', 'src/b.ts'],
      deleted: ['dir/inner.txt', 'link', 'swap'],
    });
  });

  test('names with spaces, quotes, newlines, unicode and bytes that are no text', async () => {
    const names = [
      'a b/c d',
      'new\nline',
      '"quoted"',
      "it's",
      'tab\there',
      'ünïcødé/😀',
      '-flag',
      ':(exclude)x',
      '*',
      '\\',
    ];
    const changes = await changesOf(() => {
      for (const name of names) git.write(name, 'x\n');
      writeFileSync(Buffer.concat([Buffer.from(`${git.root}/bytes-`), Buffer.from([0xff, 0xfe])]), 'x\n');
    });
    expect(changes).toEqual({
      ...none,
      created: [...names, 'bytes-\ufffd\ufffd'].sort(),
      linesAdded: names.length + 1,
    });
    expect(await changesOf(() => git.write('new\nline', 'y\n'))).toMatchObject({ updated: ['new\nline'] });
  });

  test('an edit of the same size in the same second is seen', async () => {
    for (let round = 0; round < 5; round++) {
      expect(await changesOf(() => git.write('a.txt', `one\ntw${round}\n`))).toMatchObject({ updated: ['a.txt'] });
    }
  });

  test('an edit whose times are set back is seen', async () => {
    const path = join(git.root, 'a.txt');
    utimesSync(path, 1_600_000_000, 1_600_000_000);
    // Git knows the time of the last change of times to the second.
    const second = Math.floor(statSync(path).ctimeMs / 1000);
    await vi.waitUntil(() => Math.floor(Date.now() / 1000) > second + 1, { timeout: 5000 });
    expect(
      await changesOf(() => {
        writeFileSync(path, 'ONE\ntwo\n');
        utimesSync(path, 1_600_000_000, 1_600_000_000);
      }),
    ).toMatchObject({ updated: ['a.txt'] });
  });

  test('ignored files do not count, by any list of ignored files', async () => {
    git.write('.git/info/exclude', 'secret\n');
    git.write('deep/.gitignore', '*\n!kept\n!.gitignore\n');
    expect(
      await changesOf(() => {
        for (const path of ['x.log', 'build/a/b', 'secret', 'deep/dropped', 'deep/kept']) git.write(path, '1\n');
      }),
    ).toEqual({ ...none, created: ['deep/kept'], linesAdded: 1 });
  });

  test("a person's own list of ignored files counts too", async () => {
    writeFileSync(join(folder, 'my "ignore"'), '.DS_Store\n');
    const mine = observeGitTree(git.root, {
      stateFolder: join(folder, 'mine'),
      searchPath: GIT_PATH,
      excludesFile: join(folder, 'my "ignore"'),
    });
    const before = await mine.snapshot();
    git.write('src/.DS_Store', 'x');
    expect(await mine.snapshot()).toBe(before);
  });

  test('binary files count as files and not as lines, whatever .gitattributes says of text', async () => {
    expect(
      await changesOf(() => {
        git.write('x.bin', Buffer.from([0, 10, 0, 10]));
        git.write('.gitattributes', '*.ts -diff\n*.txt binary\n');
        git.write('src/b.ts', 'b\nc\n');
      }),
    ).toEqual({
      created: ['.gitattributes', 'x.bin'],
      updated: ['src/b.ts'],
      deleted: [],
      linesAdded: 3,
      linesRemoved: 0,
    });
  });
});

describe('what of ours and what git hides', () => {
  test('nothing below .foreword counts, tracked or not', async () => {
    git.write('.foreword/policy.yaml', 'deny: []\n');
    git.commit();
    const inside = observeGitTree(git.root, { stateFolder: join(git.root, '.foreword/runs/x'), searchPath: GIT_PATH });
    const before = await inside.snapshot();
    git.write('.foreword/policy.yaml', 'deny: [src]\n');
    git.write('.foreword/logs/new', 'x\n');
    expect(await inside.snapshot()).toBe(before);
    git.write('.gitignore', '!.foreword\n');
    expect(await inside.changes(before, await inside.snapshot())).toMatchObject({
      created: [],
      updated: ['.gitignore'],
    });
    // A snapshot taken by another observer, with other files of ours in it.
    const other = await observe(git.root, 'state').snapshot();
    expect(other).not.toBe(before);
  });

  test('a project inside the repository: its own .foreword does not count, the rest of the work tree does', async () => {
    mkdirSync(join(git.root, 'packages/one'), { recursive: true });
    const inner = observeGitTree(join(git.root, 'packages/one'), {
      stateFolder: join(folder, 'x'),
      searchPath: GIT_PATH,
    });
    const before = await inner.snapshot();
    git.write('packages/one/.foreword/logs/a', '1');
    git.write('packages/one/a', '1');
    git.write('a.txt', '');
    expect(await inner.changes(before, await inner.snapshot())).toMatchObject({
      created: ['packages/one/a'],
      updated: ['a.txt'],
    });
  });

  test('files marked "assume unchanged" are looked at all the same', async () => {
    git.run('update-index', '--assume-unchanged', 'a.txt');
    const before = await observer.snapshot();
    git.write('a.txt', 'changed\n');
    expect(await observer.changes(before, await observer.snapshot())).toMatchObject({ updated: ['a.txt'] });
    git.run('update-index', '--assume-unchanged', 'src/b.ts');
    git.write('src/b.ts', 'changed\n');
    expect(await observer.changes(before, await observer.snapshot())).toMatchObject({ updated: ['a.txt', 'src/b.ts'] });
  });

  test.each(['--no-sparse-index', '--sparse-index'])(
    'files outside a sparse checkout (%s) are not deleted',
    async (kind) => {
      git.write('other/c.ts', 'c\n');
      git.commit();
      git.run('sparse-checkout', 'set', '--cone', kind, 'src');
      expect(existsSync(join(git.root, 'other/c.ts'))).toBe(false);
      const before = await observer.snapshot();
      git.write('src/b.ts', 'changed\n');
      git.write('other/c.ts', 'put there\n');
      expect(await observer.changes(before, await observer.snapshot())).toMatchObject({
        created: ['other/c.ts'],
        updated: ['src/b.ts'],
        deleted: [],
      });
    },
  );

  test('an exclude list written during the attempt hides nothing', async () => {
    const before = await observer.snapshot();
    git.write('.git/info/exclude', '*\n');
    git.write('hidden', '1\n');
    expect(await observer.changes(before, await observer.snapshot())).toMatchObject({ created: ['hidden'] });
  });

  test('an ignored file that is added by force counts, and so does its change', async () => {
    const before = await observer.snapshot();
    git.write('build/out.js', '1\n');
    git.run('add', '--force', 'build/out.js');
    const added = await observer.snapshot();
    expect(await observer.changes(before, added)).toMatchObject({ created: ['build/out.js'] });
    git.write('build/out.js', '2\n');
    expect(await observer.changes(added, await observer.snapshot())).toMatchObject({ updated: ['build/out.js'] });
  });

  test('a file that counted and is ignored later is not taken for deleted', async () => {
    git.write('notes.tmp', '1\n');
    const before = await observer.snapshot();
    git.write('.gitignore', '*.tmp\n');
    git.run('add', '.gitignore');
    git.run('commit', '--quiet', '--message', 'ignored');
    expect(await observer.changes(before, await observer.snapshot())).toMatchObject({
      deleted: [],
      updated: ['.gitignore'],
    });
  });
});

describe('what an attempt does with git', () => {
  const act: Record<string, () => void> = {
    'git add': () => git.run('add', '--all'),
    'git commit': () => git.commit(),
    'an amended commit and gc': () => {
      git.run('add', '--all');
      git.run('commit', '--quiet', '--amend', '--message', 'amended');
      git.run('gc', '--quiet', '--prune=now');
    },
    'a commit on a new branch': () => {
      git.run('switch', '--quiet', '--create', 'other');
      git.commit();
    },
    'git add and reset': () => {
      git.run('add', '--all');
      git.run('reset', '--quiet');
    },
    'git stash and pop': () => {
      git.run('stash', '--include-untracked', '--quiet');
      git.run('stash', 'pop', '--quiet');
    },
  };
  test.each(Object.keys(act))('%s does not change what is seen', async (name) => {
    expect(
      await changesOf(() => {
        git.write('new.ts', '1\n');
        git.write('a.txt', 'one\n');
        rmSync(join(git.root, 'src/b.ts'));
        act[name]?.();
      }),
    ).toEqual({ created: ['new.ts'], updated: ['a.txt'], deleted: ['src/b.ts'], linesAdded: 1, linesRemoved: 2 });
  });

  test('git stash undoes what was there before, and that is seen', async () => {
    git.write('a.txt', 'mine\n');
    expect(await changesOf(() => git.run('stash', '--quiet'))).toMatchObject({ updated: ['a.txt'] });
  });

  test('another branch is seen by its files', async () => {
    git.run('switch', '--quiet', '--create', 'other');
    git.write('only-here.ts', '1\n');
    git.write('a.txt', 'other\n');
    git.commit();
    expect(await changesOf(() => git.run('switch', '--quiet', 'main'))).toMatchObject({
      updated: ['a.txt'],
      deleted: ['only-here.ts'],
    });
  });

  test('staged and unstaged work before the attempt is not part of it', async () => {
    git.write('a.txt', 'staged\n');
    git.write('staged-only.ts', '1\n');
    git.run('add', '--all');
    git.write('a.txt', 'not staged\n');
    git.run('rm', '--quiet', '--cached', 'src/b.ts');
    expect(await changesOf(() => git.write('c', '1\n'))).toEqual({ ...none, created: ['c'], linesAdded: 1 });
  });

  test('a merge with conflicts, and files that are only meant to be added', async () => {
    git.run('switch', '--quiet', '--create', 'other');
    git.write('a.txt', 'theirs\n');
    rmSync(join(git.root, 'src/b.ts'));
    git.commit();
    git.run('switch', '--quiet', 'main');
    git.write('a.txt', 'ours\n');
    git.write('src/b.ts', 'ours\n');
    git.commit();
    git.try('merge', 'other');
    expect(git.run('ls-files', '--unmerged')).not.toBe('');
    git.write('later', '1\n');
    git.run('add', '--intent-to-add', 'later');
    expect(await changesOf(() => git.write('a.txt', 'solved\n'))).toMatchObject({ updated: ['a.txt'] });
  });

  test('a locked index does not matter', async () => {
    writeFileSync(join(git.root, '.git/index.lock'), '');
    const before = await observer.snapshot();
    git.write('c', '1\n');
    expect(await observer.changes(before, await observer.snapshot())).toMatchObject({ created: ['c'] });
    expect(readFileSync(join(git.root, '.git/index.lock'), 'utf8')).toBe('');
  });

  test('a split index', async () => {
    git.run('update-index', '--split-index');
    git.write('c', '1\n');
    git.run('add', 'c');
    expect(readdirSync(join(git.root, '.git')).some((name) => name.startsWith('sharedindex.'))).toBe(true);
    const before = await observer.snapshot();
    expect(before).toBe(treeBySplit());
    git.write('a.txt', '');
    git.run('add', 'a.txt');
    expect(await observer.changes(before, await observer.snapshot())).toMatchObject({ updated: ['a.txt'] });
  });

  /** Plain git in place: a copied index would not find its other half. */
  function treeBySplit(): string {
    return git.run('write-tree');
  }
});

describe('kinds of repositories', () => {
  test('before the first commit, with and without an index', async () => {
    const fresh = initialised(join(folder, 'fresh'));
    const on = observe(fresh.root, 'fresh-state');
    expect(await changesOf(() => fresh.write('a', '1\n'), on, fresh.root)).toMatchObject({ created: ['a'] });
    fresh.run('add', 'a');
    expect(await changesOf(() => fresh.write('b', '1\n'), on, fresh.root)).toMatchObject({ created: ['b'] });
    expect(await changesOf(() => void fresh.commit(), on, fresh.root)).toEqual(none);
  });

  test('a worktree', async () => {
    git.run('worktree', 'add', '--quiet', '../tree', '-b', 'side');
    const root = join(folder, 'tree');
    const on = observe(root, 'tree-state');
    expect(await changesOf(() => writeFileSync(join(root, 'a.txt'), 'here\n'), on, root)).toMatchObject({
      updated: ['a.txt'],
    });
    expect(readFileSync(join(git.root, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
  });

  test('a folder whose name git would have to quote', async () => {
    const odd = initialised(join(folder, 'odd: "name"\\'));
    odd.write('a', '1\n');
    odd.commit();
    const on = observe(odd.root, 'odd: "state"\n');
    const before = await on.snapshot();
    expect(before).toBe(odd.run('rev-parse', 'HEAD^{tree}'));
    odd.write('a', '2\n');
    expect(await on.changes(before, await on.snapshot())).toMatchObject({ updated: ['a'], linesAdded: 1 });
  });

  test('sha256 objects', async () => {
    const other = initialised(join(folder, 'sha256'), '--object-format=sha256');
    other.write('a', '1\n');
    other.commit();
    const on = observe(other.root, 'sha256-state');
    expect(await changesOf(() => other.write('b', '1\n'), on, other.root)).toMatchObject({ created: ['b'] });
    mkdirSync(join(other.root, 'big'));
    truncateSync(touched(join(other.root, 'big/file')), 21 * 1024 * 1024);
    const before = await on.snapshot();
    rmSync(join(other.root, 'big/file'));
    expect(await on.changes(before, await on.snapshot())).toMatchObject({ deleted: ['big/file'] });
  });

  test('a submodule counts as its commit; work in it that is not committed does not count', async () => {
    const inner = initialised(join(folder, 'inner'));
    inner.write('x', '1\n');
    inner.commit();
    git.run('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'part');
    git.commit();
    const part = realGit(join(git.root, 'part'));
    expect(await changesOf(() => part.write('x', '2\n'))).toEqual(none);
    expect(await changesOf(() => void part.commit())).toEqual({ ...none, updated: ['part'] });
    expect(await changesOf(() => rmSync(part.root, { recursive: true }))).toMatchObject({ deleted: ['part'] });
  });

  test('a repository inside counts as its commit, and as something also before it has one', async () => {
    const before = await observer.snapshot();
    const inner = initialised(join(git.root, 'app'));
    inner.write('index.js', '1\n');
    const unborn = await observer.snapshot();
    expect(await observer.changes(before, unborn)).toEqual({ ...none, created: ['app'] });
    expect(await observer.snapshot()).toBe(unborn);
    inner.commit();
    expect(await observer.snapshot()).toBe(treeByGit(git.root));
    expect(await observer.changes(unborn, await observer.snapshot())).toEqual({ ...none, updated: ['app'] });
  });

  test('line ends that git turns are not changes', async () => {
    git.run('config', 'core.autocrlf', 'true');
    rmSync(join(git.root, 'a.txt'));
    git.run('checkout', '--', 'a.txt');
    expect(readFileSync(join(git.root, 'a.txt'), 'utf8')).toBe('one\r\ntwo\r\n');
    expect(await changesOf(() => git.write('a.txt', 'one\r\ntwo\r\nthree\r\n'))).toMatchObject({
      updated: ['a.txt'],
      linesAdded: 1,
    });
  });
});

describe('files that are not read', () => {
  test('a large file counts by size and time, and costs no copy', async () => {
    const path = touched(join(git.root, 'model.bin'));
    truncateSync(path, 30 * 1024 * 1024);
    const before = await observer.snapshot();
    expect(await observer.snapshot()).toBe(before);
    expect(execFileSync('du', ['-sk', join(folder, 'state')], { encoding: 'utf8' })).toMatch(/^\d{1,3}\t/);
    truncateSync(path, 31 * 1024 * 1024);
    expect(await observer.changes(before, await observer.snapshot())).toEqual({ ...none, updated: ['model.bin'] });
    writeFileSync(path, 'small\n');
    expect(await observer.snapshot()).toBe(treeByGit(git.root));
  });

  test('files that git refuses do not keep the others from being seen', async () => {
    git.write('.gitattributes', '*.u16 working-tree-encoding=UTF-16\n');
    const before = await observer.snapshot();
    for (const index of [1, 2, 3]) git.write(`bad${index}.u16`, 'odd');
    for (const index of [1, 2, 3, 4]) git.write(`good${index}`, '1\n');
    const after = await observer.snapshot();
    expect((await observer.changes(before, after)).created).toEqual([
      'bad1.u16',
      'bad2.u16',
      'bad3.u16',
      'good1',
      'good2',
      'good3',
      'good4',
    ]);
    expect(await observer.snapshot()).toBe(after);
    rmSync(join(git.root, 'bad2.u16'));
    expect(await observer.changes(after, await observer.snapshot())).toEqual({ ...none, deleted: ['bad2.u16'] });
  });

  test('pipes do not block and do not count', async () => {
    const before = await observer.snapshot();
    execFileSync('mkfifo', [join(git.root, 'pipe')]);
    rmSync(join(git.root, 'a.txt'));
    execFileSync('mkfifo', [join(git.root, 'a.txt')]);
    expect(await observer.changes(before, await observer.snapshot())).toMatchObject({
      created: [],
      deleted: ['a.txt'],
    });
  });
});

describe('the state folder', () => {
  test('snapshots survive a restart, and a lock that a killed process left', async () => {
    git.write('untracked', '1\n');
    const before = await observer.snapshot();
    writeFileSync(join(folder, 'state/index.lock'), '');
    const later = observe(git.root);
    expect(await later.snapshot()).toBe(before);
    git.write('untracked', '2\n');
    expect(await later.changes(before, await later.snapshot())).toMatchObject({ updated: ['untracked'] });
    expect(statSync(join(folder, 'state')).mode & 0o777).toBe(0o700);
  });

  test('closing deletes it, and what was in it is no longer known', async () => {
    git.write('untracked', '1\n');
    const before = await observer.snapshot();
    git.write('untracked', '2\n');
    const after = await observer.snapshot();
    await observer.close();
    expect(existsSync(join(folder, 'state'))).toBe(false);
    await expect(observe(git.root).changes(before, after)).rejects.toMatchObject({ code: 'bad-input' });
    await expect(observe(git.root).changes('--output=x', after)).rejects.toMatchObject({ code: 'bad-input' });
  });

  test('calls side by side wait for each other', async () => {
    git.write('c', '1\n');
    const all = await Promise.all([observer.snapshot(), observer.snapshot(), observer.snapshot()]);
    expect(new Set(all)).toEqual(new Set([treeByGit(git.root)]));
  });

  test('a folder without a repository is refused', () => {
    mkdirSync(join(folder, 'plain'));
    expect(() => observe(join(folder, 'plain'))).toThrow('There is no git repository');
  });
});

function touched(path: string): string {
  writeFileSync(path, '');
  return path;
}
