// Facts about repositories, with the real git as oracle.

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { diffstat, shortHead, shortId, trackedFiles } from '../../src/system/git/facts.ts';
import { readHead } from '../../src/system/git/head.ts';
import { withPrivateGit } from '../../src/system/git/private-git.ts';
import { openRepository, type Repository } from '../../src/system/git/repository.ts';
import { shortIdFromFiles } from '../../src/system/git/short-id.ts';
import { bundle, temporaryFolder } from '../bundle.ts';
import { GIT_PATH, initialised, isolatedEnvironment, type RealGit, realGit } from './real-git.ts';

let folder: string;
const ours = temporaryFolder('facts-ours');
beforeEach(() => {
  folder = temporaryFolder('facts');
  vi.stubEnv('TMPDIR', ours);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
  expect(readdirSync(ours)).toEqual([]);
});
afterAll(() => rmSync(ours, { recursive: true, force: true }));

const open = (cwd: string): Repository => openRepository(cwd, GIT_PATH)!;

/** `git diff --numstat` against HEAD, parsed on its own. */
function numstat(git: RealGit, base = 'HEAD') {
  const text = git.run('diff', '--numstat', '-z', '--no-renames', base);
  const lines = (count: string) => (count === '-' ? null : Number(count));
  return text
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [added = '', removed = '', ...path] = entry.split('\t');
      return { path: path.join('\t'), added: lines(added), removed: lines(removed) };
    });
}

describe('branch and head', () => {
  test('are what git says on a branch, also from a subfolder', async () => {
    const git = initialised(join(folder, 'a repo'));
    git.write('sub/deep/file.txt', 'one\n');
    const commit = git.commit();
    const repository = open(join(git.root, 'sub/deep'));
    expect(repository).toEqual({
      root: git.run('rev-parse', '--show-toplevel'),
      gitDir: git.run('rev-parse', '--absolute-git-dir'),
      commonDir: git.run('rev-parse', '--absolute-git-dir'),
      objectFormat: 'sha1',
      searchPath: GIT_PATH,
    });
    expect(await readHead(repository)).toEqual({ branch: 'main', commit });
    expect(await shortHead(repository)).toBe(git.run('rev-parse', '--short', 'HEAD'));
  });

  test('the short id is as long as git makes it, loose, packed, borrowed and beside twenty thousand others', async () => {
    const git = initialised(folder);
    git.commit('first');
    const same = async () => {
      const repository = open(folder);
      const commit = git.run('rev-parse', 'HEAD');
      expect(shortIdFromFiles(repository, commit)).toBe(git.run('rev-parse', '--short', 'HEAD'));
      expect(await shortId(repository, commit)).toBe(git.run('rev-parse', '--short', 'HEAD'));
    };
    await same();
    git.run('gc', '--quiet');
    await same();
    const blobs = Array.from({ length: 20_000 }, (_, index) => `blob\ndata ${String(index).length}\n${index}\n`).join(
      '',
    );
    spawnSync('git', ['fast-import', '--quiet'], { cwd: folder, input: blobs, env: isolatedEnvironment(folder) });
    git.commit('among many');
    expect(git.run('rev-parse', '--short', 'HEAD').length).toBeGreaterThan(7);
    await same();
    git.run('multi-pack-index', 'write');
    expect(shortIdFromFiles(open(folder), git.run('rev-parse', 'HEAD'))).toBeUndefined();
    expect(await shortHead(open(folder))).toBe(git.run('rev-parse', '--short', 'HEAD'));
  });

  test('of packed refs and of branches in folders are found', async () => {
    const git = initialised(folder);
    const first = git.commit('first');
    git.run('checkout', '--quiet', '-b', 'feature/one/two');
    git.run('tag', '-a', '-m', 'annotated', 'v1');
    git.run('pack-refs', '--all', '--prune');
    expect(await readHead(open(folder))).toEqual({ branch: 'feature/one/two', commit: first });
    const second = git.commit('second');
    expect(await readHead(open(folder))).toEqual({ branch: 'feature/one/two', commit: second });
    git.run('checkout', '--quiet', 'main');
    expect(await readHead(open(folder))).toEqual({ branch: 'main', commit: first });
  });

  test('a detached head has no branch', async () => {
    const git = initialised(folder);
    const commit = git.commit();
    git.run('checkout', '--quiet', '--detach');
    expect(await readHead(open(folder))).toEqual({ branch: null, commit });
    expect(await shortHead(open(folder))).toBe(git.run('rev-parse', '--short', 'HEAD'));
  });

  test('before the first commit there is a branch and no head', async () => {
    const git = initialised(folder);
    expect(await readHead(open(folder))).toEqual({ branch: 'main', commit: null });
    expect(await shortHead(open(folder))).toBeNull();
    expect(git.run('symbolic-ref', '--short', 'HEAD')).toBe('main');
  });

  test('a branch that is a symbolic ref is followed', async () => {
    const git = initialised(folder);
    const commit = git.commit();
    git.run('symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
    git.run('symbolic-ref', 'HEAD', 'refs/heads/alias');
    expect(await readHead(open(folder))).toEqual({ branch: 'alias', commit: git.run('rev-parse', 'HEAD') });
    expect((await readHead(open(folder))).commit).toBe(commit);
  });

  test('a head that is a link, as old repositories have it, is read', async () => {
    const git = initialised(folder);
    const commit = git.commit();
    rmSync(join(folder, '.git/HEAD'));
    symlinkSync('refs/heads/main', join(folder, '.git/HEAD'));
    expect(await readHead(open(folder))).toEqual({ branch: 'main', commit });
    expect(git.run('rev-parse', 'HEAD')).toBe(commit);
  });

  test('the short id is as long as git makes it when ids begin alike or the repository asks for more', async () => {
    const git = initialised(folder);
    for (let i = 0; i < 300; i++) git.write(`f${i}`, `content ${i}`);
    git.commit();
    for (const abbrev of ['4', '12', 'auto', 'no']) {
      git.run('config', 'core.abbrev', abbrev);
      expect(await shortHead(open(folder))).toBe(git.run('rev-parse', '--short', 'HEAD'));
    }
  });

  test('a worktree has its own head and index and shares the objects', async () => {
    const git = initialised(join(folder, 'main'));
    git.write('file.txt', 'one\n');
    const first = git.commit();
    git.run('worktree', 'add', '--quiet', '-b', 'other', join(folder, 'other tree'));
    const other = realGit(join(folder, 'other tree'));
    other.write('more.txt', 'two\n');
    const second = other.commit();
    other.write('more.txt', 'two\nthree\n');
    const repository = open(other.root);
    expect(await readHead(repository)).toEqual({ branch: 'other', commit: second });
    expect(await readHead(open(git.root))).toEqual({ branch: 'main', commit: first });
    expect(await trackedFiles(repository)).toEqual(['file.txt', 'more.txt']);
    expect(await trackedFiles(open(git.root))).toEqual(['file.txt']);
    expect(await diffstat(repository)).toEqual([{ path: 'more.txt', added: 1, removed: 0 }]);
    expect(await shortHead(repository)).toBe(other.run('rev-parse', '--short', 'HEAD'));
  });

  test('a repository with sha256 ids reads like any other', async () => {
    const git = initialised(folder, '--object-format=sha256');
    git.write('file.txt', 'one\n');
    git.run('add', '.');
    expect(await diffstat(open(folder))).toEqual([{ path: 'file.txt', added: 1, removed: 0 }]);
    const commit = git.commit();
    git.write('file.txt', 'two\nthree\n');
    const repository = open(folder);
    expect(repository.objectFormat).toBe('sha256');
    expect(await readHead(repository)).toEqual({ branch: 'main', commit });
    expect(commit).toHaveLength(64);
    expect(await shortHead(repository)).toBe(git.run('rev-parse', '--short', 'HEAD'));
    expect(await diffstat(repository)).toEqual(numstat(git));
    expect(await trackedFiles(repository)).toEqual(['file.txt']);
  });

  test('a repository with reftables is read by git, or git says that it cannot', async () => {
    const git = initialised(folder);
    git.try('init', '--quiet', '--ref-format=reftable', join(folder, 'tables'));
    const tables = realGit(join(folder, 'tables'));
    const isSupported = readdirSync(tables.root).includes('.git');
    if (isSupported) {
      const commit = tables.commit();
      expect(await readHead(open(tables.root))).toEqual({ branch: tables.run('branch', '--show-current'), commit });
      tables.run('worktree', 'add', '--quiet', '-b', 'other', join(folder, 'linked'));
      expect(await readHead(open(join(folder, 'linked')))).toEqual({ branch: 'other', commit });
    } else {
      writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/.invalid\n');
      mkdirSync(join(folder, '.git/reftable'));
      await expect(readHead(open(folder))).rejects.toThrow(/"git symbolic-ref" failed: .*refstorage/i);
    }
  });

  test('a submodule is a repository of its own', async () => {
    const inner = initialised(join(folder, 'inner'));
    const commit = inner.commit();
    const outer = initialised(join(folder, 'outer'));
    outer.run('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'part');
    outer.commit();
    const repository = open(join(outer.root, 'part'));
    expect(repository.root).toBe(join(outer.root, 'part'));
    expect(await readHead(repository)).toEqual({ branch: 'main', commit });
  });

  test('a bare repository inside a project is not taken for one', async () => {
    initialised(folder);
    realGit(join(folder, 'vendor')).run('init', '--quiet', '--bare', 'bare');
    expect(open(join(folder, 'vendor/bare/refs')).root).toBe(open(folder).root);
  });
});

describe('changed lines', () => {
  const STRANGE = [
    'with space.txt',
    'with\nnewline.txt',
    'with\ttab.txt',
    'with"quotes".txt',
    "with'single.txt",
    'back\\slash.txt',
    '-dash.txt',
    ':colon.txt',
    'ünïcödé/日本語.txt',
    '$(touch canary).txt',
    ' leading.txt',
  ];

  test('of strange paths are counted under their own names', async () => {
    const git = initialised(folder);
    for (const path of STRANGE) git.write(path, 'one\ntwo\n');
    git.commit();
    for (const path of STRANGE) git.write(path, 'one\n2\n3\n');
    const expected = STRANGE.map((path) => ({ path, added: 2, removed: 1 }));
    const found = await diffstat(open(folder));
    expect(found.toSorted(byPath)).toEqual(expected.toSorted(byPath));
    expect(found).toEqual(numstat(git));
    expect((await trackedFiles(open(folder))).toSorted()).toEqual(STRANGE.toSorted());
  });

  test('staged and unstaged, added, deleted, renamed, binary, empty and of changed mode are as git counts them', async () => {
    const git = initialised(folder);
    git.write('staged.txt', '1\n2\n3\n');
    git.write('unstaged.txt', '1\n2\n3\n');
    git.write('both.txt', '1\n2\n3\n');
    git.write('deleted.txt', '1\n2\n');
    git.write('unlinked.txt', '1\n2\n');
    git.write('old-name.txt', 'a\nb\nc\nd\ne\n');
    git.write('image.bin', Buffer.from([0, 1, 2, 3]));
    git.write('script.sh', 'true\n');
    git.write('untouched.txt', 'same\n');
    git.write('untouched.bin', Buffer.from([0, 9]));
    git.commit();
    git.write('staged.txt', '1\n2\n3\n4\n');
    git.write('both.txt', '1\n');
    git.run('add', 'staged.txt', 'both.txt');
    git.write('both.txt', '1\n5\n');
    git.write('unstaged.txt', '3\n');
    git.run('rm', '--quiet', 'deleted.txt');
    rmSync(join(folder, 'unlinked.txt'));
    git.run('mv', 'old-name.txt', 'new-name.txt');
    git.write('image.bin', Buffer.from([0, 4, 5]));
    chmodSync(join(folder, 'script.sh'), 0o755);
    git.write('empty.txt', '');
    git.run('add', 'empty.txt');
    git.write('untracked.txt', 'not counted\n');
    // Touched, but the same: git looks at the content before it says so.
    for (const path of ['untouched.txt', 'untouched.bin']) git.write(path, readFileSync(join(folder, path)));
    const found = await diffstat(open(folder));
    expect(found).toEqual(numstat(git));
    expect(found.map(({ path }) => path)).toEqual([
      'both.txt',
      'deleted.txt',
      'empty.txt',
      'image.bin',
      'new-name.txt',
      'old-name.txt',
      'script.sh',
      'staged.txt',
      'unlinked.txt',
      'unstaged.txt',
    ]);
    expect(found[3]).toEqual({ path: 'image.bin', added: null, removed: null });
  });

  test('before the first commit are those of the staged files', async () => {
    const git = initialised(folder);
    expect(await diffstat(open(folder))).toEqual([]);
    expect(await trackedFiles(open(folder))).toEqual([]);
    git.write('a.txt', '1\n2\n');
    git.run('add', '.');
    git.write('a.txt', '1\n2\n3\n');
    expect(await diffstat(open(folder))).toEqual([{ path: 'a.txt', added: 3, removed: 0 }]);
  });

  test('a change of the same size in the same instant as the commit is seen', async () => {
    const git = initialised(folder);
    for (let i = 0; i < 20; i++) {
      git.write('racy.txt', `${i}a\n`);
      git.commit();
      git.write('racy.txt', `${i}b\n`);
      expect(await diffstat(open(folder))).toEqual([{ path: 'racy.txt', added: 1, removed: 1 }]);
    }
  });

  test('line endings are compared as the repository asks', async () => {
    const git = initialised(folder);
    git.run('config', 'core.autocrlf', 'true');
    git.write('dos.txt', 'one\r\ntwo\r\n');
    git.commit();
    git.write('dos.txt', 'one\r\ntwo\r\nthree\r\n');
    expect(await diffstat(open(folder))).toEqual([{ path: 'dos.txt', added: 1, removed: 0 }]);
    git.write('.git/info/attributes', '*.txt binary\n');
    expect(await diffstat(open(folder))).toEqual([{ path: 'dos.txt', added: null, removed: null }]);
  });

  test('a conflicted file is listed once', async () => {
    const git = initialised(folder);
    git.write('file.txt', 'base\n');
    git.commit();
    git.run('checkout', '--quiet', '-b', 'side');
    git.write('file.txt', 'side\n');
    git.commit();
    git.run('checkout', '--quiet', 'main');
    git.write('file.txt', 'main\n');
    git.commit();
    git.try('merge', 'side');
    expect(await trackedFiles(open(folder))).toEqual(['file.txt']);
    expect(await diffstat(open(folder))).toEqual(numstat(git).slice(-1));
  });

  test('a split index and a sparse checkout are read', async () => {
    const git = initialised(folder);
    git.write('a/one.txt', '1\n');
    git.write('b/two.txt', '2\n');
    git.commit();
    git.run('update-index', '--split-index');
    git.write('c.txt', '3\n');
    git.run('add', 'c.txt');
    expect(readdirSync(join(folder, '.git')).some((name) => name.startsWith('sharedindex.'))).toBe(true);
    expect(await trackedFiles(open(folder))).toEqual(['a/one.txt', 'b/two.txt', 'c.txt']);
    expect(await diffstat(open(folder))).toEqual([{ path: 'c.txt', added: 1, removed: 0 }]);
    git.run('update-index', '--no-split-index');
    git.commit();
    git.run('sparse-checkout', 'set', '--cone', '--sparse-index', 'a');
    expect(readdirSync(folder)).not.toContain('b');
    expect(await trackedFiles(open(folder))).toEqual(['a/one.txt', 'b/two.txt', 'c.txt']);
    expect(await diffstat(open(folder))).toEqual([]);
  });

  test('submodules are no files; a moved one is one line each way', async () => {
    const inner = initialised(join(folder, 'inner'));
    inner.commit();
    const git = initialised(join(folder, 'outer'));
    git.run('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'part');
    git.commit();
    expect(await trackedFiles(open(git.root))).toEqual(['.gitmodules']);
    const part = realGit(join(git.root, 'part'));
    part.write('dirty.txt', 'x\n');
    expect(await diffstat(open(git.root))).toEqual([]);
    part.commit();
    expect(await diffstat(open(git.root))).toEqual(numstat(git));
  });
});

test('reading leaves the repository as it was, to the byte', async () => {
  const git = initialised(folder);
  for (let i = 0; i < 20; i++) git.write(`f${i}.txt`, `${i}\n`);
  git.commit();
  for (let i = 0; i < 20; i++) git.write(`f${i}.txt`, `${i}\n`);
  const snapshot = () =>
    readdirSync(join(folder, '.git'), { recursive: true, encoding: 'utf8' })
      .map((name) => [name, statSync(join(folder, '.git', name), { bigint: true }).mtimeNs])
      .toSorted();
  const before = snapshot();
  const repository = open(folder);
  await readHead(repository);
  await Promise.all([shortHead(repository), diffstat(repository), trackedFiles(repository)]);
  expect(snapshot()).toEqual(before);
});

test('the private git directory is ours alone, and gone after a failure or an exit', async () => {
  const git = initialised(folder);
  git.commit();
  const repository = open(folder);
  const failed = withPrivateGit(repository, async ({ directory }) => {
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    throw new Error('on purpose');
  });
  await expect(failed).rejects.toThrow('on purpose');
  await expect(withPrivateGit(repository, (own) => own.run(['rev-parse', 'nonsense']))).rejects.toThrow('nonsense');
  expect(readdirSync(ours)).toEqual([]);
  const program = bundle(join(import.meta.dirname, 'leaves-early.ts'));
  try {
    expect(spawnSync(process.execPath, [program, folder], { env: { PATH: GIT_PATH, TMPDIR: ours } }).status).toBe(7);
  } finally {
    rmSync(program);
  }
});

test('a copied index does not look younger than the original, or git would trust stats it must not', async () => {
  const git = initialised(folder);
  git.write('a.txt', '1\n');
  git.commit();
  const times = await withPrivateGit(open(folder), async (own) => {
    const copy = own.copyIndex().GIT_INDEX_FILE ?? '';
    expect(readFileSync(copy)).toEqual(readFileSync(join(folder, '.git/index')));
    return [copy, join(folder, '.git/index')].map((path) => statSync(path, { bigint: true }).mtimeNs);
  });
  expect(Number(times[1]! - times[0]!) / 1e6).toBeGreaterThan(0);
  expect(Number(times[1]! - times[0]!) / 1e6).toBeLessThan(3);
});

test('a repository that was moved is read in its new place', async () => {
  const git = initialised(join(folder, 'before'));
  git.write('a.txt', '1\n');
  git.commit();
  renameSync(join(folder, 'before'), join(folder, 'after'));
  expect(await trackedFiles(open(join(folder, 'after')))).toEqual(['a.txt']);
});

function byPath(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : 1;
}
