// Reading facts runs nothing that a repository names. Every program a repository can name is planted as a canary that
// leaves a file; plain git is shown to start several of them in the very same repository, our functions start none.

import { chmodSync, cpSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openCodeSearch } from '../../src/context/sources/code.ts';
import { observeDiffstat, observeGit } from '../../src/context/sources/git.ts';
import { openSearchIndex } from '../../src/stores/sqlite/search-index.ts';
import { diffstat, shortHead, trackedFiles } from '../../src/system/git/facts.ts';
import { readHead } from '../../src/system/git/head.ts';
import { withPrivateGit } from '../../src/system/git/private-git.ts';
import { openRepository } from '../../src/system/git/repository.ts';
import { temporaryFolder } from '../bundle.ts';
import { GIT_PATH, initialised, isolatedEnvironment, type RealGit, realGit } from './real-git.ts';

let folder: string;
let canaries: string;
const ours = temporaryFolder('hostile-ours');

beforeEach(() => {
  folder = temporaryFolder('hostile');
  canaries = join(folder, 'canaries');
  mkdirSync(canaries);
  vi.stubEnv('TMPDIR', ours);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
  expect(readdirSync(ours)).toEqual([]);
});
afterAll(() => rmSync(ours, { recursive: true, force: true }));

/** A program that leaves `name` behind, with its own name in it, and then does as `then` says. */
function canary(name: string, then = 'cat'): string {
  const path = join(folder, `run-${name}.sh`);
  writeFileSync(path, `#!/bin/sh\n: > '${join(canaries, name)}'\n${then}\n`);
  chmodSync(path, 0o755);
  return path;
}

const sung = () => readdirSync(canaries).toSorted();

const HOOKS = [
  'post-index-change',
  'fsmonitor-watchman',
  'query-watchman',
  'pre-auto-gc',
  'post-checkout',
  'reference-transaction',
  'pre-commit',
];

function hostileConfig(): string {
  const include = join(folder, 'included-config');
  writeFileSync(include, `[core]\n\tfsmonitor = ${canary('include-fsmonitor', 'exit 1')}\n`);
  return `
[core]
	fsmonitor = ${canary('fsmonitor', 'exit 1')}
	hooksPath = ${join(folder, 'hooks')}
	pager = ${canary('pager')}
	editor = ${canary('editor')}
	sshCommand = ${canary('ssh')}
	gitProxy = ${canary('proxy')}
	askPass = ${canary('askpass')}
	alternateRefsCommand = ${canary('alternate-refs')}
	attributesFile = ${join(folder, 'attributes')}
	abbrev = 7 ; ${canary('abbrev')}
[diff]
	external = ${canary('diff-external')}
	tool = evil
[diff "evil"]
	command = ${canary('diff-command')}
	textconv = ${canary('textconv', 'cat "$1"')}
[filter "evil"]
	clean = ${canary('clean')}
	smudge = ${canary('smudge')}
	required = true
[filter "longrunning"]
	process = ${canary('process', 'exit 1')}
[merge "evil"]
	driver = ${canary('merge-driver')}
[pager]
	diff = ${canary('pager-diff')}
	status = ${canary('pager-status')}
[interactive]
	diffFilter = ${canary('diff-filter')}
[credential]
	helper = !${canary('credential')}
[gpg]
	program = ${canary('gpg')}
[uploadpack]
	packObjectsHook = ${canary('pack-objects')}
[trailer "x"]
	command = ${canary('trailer')}
[alias]
	diff = !${canary('alias-diff')}
	ls-files = !${canary('alias-ls-files')}
	rev-parse = !${canary('alias-rev-parse')}
	own = !${canary('alias-own')}
[remote "origin"]
	url = ext::${canary('remote-ext')}
	promisor = true
	partialclonefilter = blob:none
[extensions]
	partialClone = origin
[include]
	path = ${include}
[includeIf "gitdir:**"]
	path = ${include}
[submodule]
	recurse = true
`;
}

/** A repository with every trap set, and files that lead into each. */
function hostileRepository(root: string): RealGit {
  const git = initialised(root);
  git.write('a.txt', 'one\n');
  git.write('b.dat', 'long\n');
  git.write('c.conv', 'text\n');
  git.write('d.plain', 'plain\n');
  git.write('.gitattributes', '*.txt filter=evil diff=evil merge=evil\n*.dat filter=longrunning\n*.conv diff=evil\n');
  git.write('.envrc', canary('envrc'));
  git.write('package.json', JSON.stringify({ scripts: { preinstall: canary('npm') } }));
  git.commit();
  mkdirSync(join(folder, 'hooks'), { recursive: true });
  for (const hook of HOOKS) {
    for (const place of [join(folder, 'hooks'), join(root, '.git/hooks')]) {
      mkdirSync(place, { recursive: true });
      cpSync(canary(`hook-${hook}`), join(place, hook));
    }
  }
  writeFileSync(join(root, '.git/config'), hostileConfig());
  writeFileSync(join(folder, 'attributes'), '* filter=evil diff=evil\n');
  writeFileSync(join(root, '.git/info/attributes'), '*.plain filter=evil diff=evil textconv=evil\n');
  // Other content and other size, so that every filter and driver is asked.
  for (const path of ['a.txt', 'b.dat', 'c.conv', 'd.plain']) git.write(path, 'changed since\nand longer\n');
  return git;
}

/** All there is, in turn; answers how many functions found a repository. */
async function runEverything(root: string, path = GIT_PATH): Promise<void> {
  const repository = openRepository(root, path);
  if (repository === undefined) throw new Error(`no repository at ${root}`);
  await readHead(repository);
  await shortHead(repository);
  await diffstat(repository);
  await trackedFiles(repository);
  await withPrivateGit(repository, (git) => git.run(['status', '--ignore-submodules=dirty', '-z'], git.copyIndex()));
  await observeGit(root, path);
  await observeDiffstat(root, path);
  const index = await openSearchIndex(join(folder, 'index.db'));
  const search = openCodeSearch({ root: repository.root, repository, index, redact: (text) => text });
  await search.refresh();
  await search.find(['changed'], 5);
  search.close();
}

test('plain git does run what this repository names, so the canaries can sing', () => {
  const git = hostileRepository(join(folder, 'repo'));
  expect(sung()).toEqual([]);
  git.try('status');
  git.try('diff', '--numstat', 'HEAD');
  git.try('diff', '--', 'c.conv');
  git.try('diff', '--no-ext-diff', '--', 'c.conv');
  expect(sung()).toEqual(expect.arrayContaining(['clean', 'diff-command', 'include-fsmonitor', 'process', 'textconv']));
});

describe('no canary sings when we read', () => {
  test('a repository with every trap in its configuration, and the facts are right', async () => {
    const git = hostileRepository(join(folder, 'repo'));
    const repository = openRepository(git.root, GIT_PATH)!;
    expect(await diffstat(repository)).toEqual(
      ['a.txt', 'b.dat', 'c.conv', 'd.plain'].map((path) => ({ path, added: 2, removed: 1 })),
    );
    expect((await readHead(repository)).branch).toBe('main');
    await runEverything(git.root);
    expect(sung()).toEqual([]);
  });

  test('a repository whose core.worktree points elsewhere and whose values git refuses', async () => {
    const git = hostileRepository(join(folder, 'repo'));
    const refused = `[core]\n\tworktree = ../../elsewhere\n\tautocrlf = "!${canary('autocrlf')}"\n`;
    writeFileSync(join(git.root, '.git/config'), hostileConfig() + refused);
    mkdirSync(join(folder, 'elsewhere'));
    expect(openRepository(git.root, GIT_PATH)?.root).toBe(openRepository(join(git.root, '.git'), GIT_PATH)?.root);
    await runEverything(git.root);
    expect(sung()).toEqual([]);
  });

  test('a submodule with a hostile configuration of its own', async () => {
    const inner = initialised(join(folder, 'inner'));
    inner.write('a.txt', 'one\n');
    inner.commit();
    const outer = initialised(join(folder, 'outer'));
    outer.run('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'part');
    outer.commit();
    writeFileSync(join(outer.root, '.git/modules/part/config'), hostileConfig());
    outer.write('.gitmodules', '[submodule "part"]\n\tpath = part\n\turl = ext::sh\n\tignore = none\n');
    outer.write('part/.gitattributes', '*.txt filter=evil diff=evil\n');
    outer.write('part/a.txt', 'changed in the submodule\n');
    await runEverything(outer.root);
    await runEverything(join(outer.root, 'part'));
    // A command that would look into the submodule with a second git finds none.
    const repository = openRepository(outer.root, GIT_PATH)!;
    await expect(withPrivateGit(repository, (git) => git.run(['status']))).rejects.toThrow('"git status" failed');
    expect(sung()).toEqual([]);
    outer.try('diff', '--submodule=diff');
    outer.try('status');
    expect(sung()).not.toEqual([]);
  });

  test('a .git file that points into a hostile directory', async () => {
    const git = hostileRepository(join(folder, 'repo'));
    renameSync(join(git.root, '.git'), join(folder, 'hidden'));
    writeFileSync(join(git.root, '.git'), `gitdir: ../hidden\n`);
    await runEverything(git.root);
    expect(sung()).toEqual([]);
    git.try('status');
    expect(sung()).not.toEqual([]);
  });

  test('a worktree whose commondir is hostile', async () => {
    const git = hostileRepository(join(folder, 'repo'));
    const own = join(folder, 'own');
    mkdirSync(join(own, 'tree'), { recursive: true });
    mkdirSync(join(own, 'gitdir'));
    writeFileSync(join(own, 'tree/.git'), 'gitdir: ../gitdir\n');
    writeFileSync(join(own, 'gitdir/commondir'), '../../repo/.git\n');
    writeFileSync(join(own, 'gitdir/gitdir'), join(own, 'tree/.git'));
    writeFileSync(join(own, 'gitdir/HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(own, 'gitdir/config.worktree'), hostileConfig());
    cpSync(join(git.root, '.git/index'), join(own, 'gitdir/index'));
    for (const name of ['a.txt', 'b.dat', 'c.conv', '.gitattributes'])
      cpSync(join(git.root, name), join(own, 'tree', name));
    await runEverything(join(own, 'tree'));
    expect(sung()).toEqual([]);
    realGit(join(own, 'tree'), isolatedEnvironment(folder)).try('status');
    expect(sung()).not.toEqual([]);
  });

  test('a bare repository inside the project', async () => {
    const git = initialised(join(folder, 'repo'));
    git.write('a.txt', 'one\n');
    git.commit();
    realGit(join(git.root, 'docs')).run('init', '--quiet', '--bare', '.');
    writeFileSync(join(git.root, 'docs/config'), `[core]\n\tbare = false\n\tworktree = .\n${hostileConfig()}`);
    cpSync(join(git.root, '.git/index'), join(git.root, 'docs/index'));
    await runEverything(join(git.root, 'docs'));
    expect(sung()).toEqual([]);
    // Plain git takes the folder for a repository, and its word for what "own" means.
    realGit(join(git.root, 'docs'), isolatedEnvironment(folder)).try('own');
    expect(sung()).toEqual(['alias-own']);
  });

  test('a linked .git', async () => {
    const git = hostileRepository(join(folder, 'repo'));
    renameSync(join(git.root, '.git'), join(folder, 'hidden'));
    symlinkSync('../hidden', join(git.root, '.git'));
    await runEverything(git.root);
    expect(sung()).toEqual([]);
  });

  test('a git of the project itself, with "." and folders of the project on the PATH', async () => {
    const git = hostileRepository(join(folder, 'repo'));
    const fake = canary('fake-git');
    mkdirSync(join(git.root, 'bin'));
    for (const place of ['git', 'bin/git', '.git/git']) cpSync(fake, join(git.root, place));
    symlinkSync(join(git.root, 'bin'), join(folder, 'linked-bin'));
    mkdirSync(join(folder, 'outside'));
    symlinkSync(join(git.root, 'bin/git'), join(folder, 'outside/git'));
    const path = ['.', '', 'bin', git.root, join(git.root, 'bin'), join(git.root, '.git')];
    path.push(join(folder, 'linked-bin'), join(folder, 'outside'), join(git.root, 'missing/../bin'));
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue(git.root);
    await runEverything(git.root, [...path, GIT_PATH].join(delimiter));
    // With nothing else on the PATH there is no git at all, rather than theirs.
    expect(await observeDiffstat(git.root, path.join(delimiter))).toEqual({
      kind: 'unavailable',
      from: '.git',
      faults: [{ where: git.root, path: '', message: 'git is not installed outside of it' }],
    });
    cwd.mockRestore();
    expect(sung()).toEqual([]);
  });

  test('objects that are missing and would be fetched from a promisor', async () => {
    const git = hostileRepository(join(folder, 'repo'));
    for (const pair of readdirSync(join(git.root, '.git/objects')).filter((name) => name.length === 2)) {
      rmSync(join(git.root, '.git/objects', pair), { recursive: true });
    }
    expect((await observeDiffstat(git.root, GIT_PATH)).kind).toBe('unavailable');
    expect(await trackedFiles(openRepository(git.root, GIT_PATH)!)).toContain('a.txt');
    expect(sung()).toEqual([]);
  });
});
