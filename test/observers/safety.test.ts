// Observing runs nothing that a repository names and writes nothing into it.

import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../bundle.ts';
import { GIT_PATH, initialised, type RealGit } from '../git/real-git.ts';
import { observeGitTree } from './observe-tree.ts';

let folder: string;
let canaries: string;
beforeEach(() => {
  folder = temporaryFolder('observe-safety');
  canaries = join(folder, 'canaries');
  mkdirSync(canaries);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A program that leaves `name` behind. */
function canary(name: string, then = 'cat'): string {
  const path = join(folder, `run-${name}.sh`);
  writeFileSync(path, `#!/bin/sh\n: > '${join(canaries, name)}'\n${then}\n`);
  chmodSync(path, 0o755);
  return path;
}

const sung = () => readdirSync(canaries).toSorted();

const HOOKS = ['post-index-change', 'fsmonitor-watchman', 'pre-auto-gc', 'reference-transaction', 'pre-commit'];

function hostileConfig(): string {
  const include = join(folder, 'included-config');
  writeFileSync(include, `[core]\n\tfsmonitor = ${canary('include-fsmonitor', 'exit 1')}\n`);
  return `
[core]
	fsmonitor = ${canary('fsmonitor', 'exit 1')}
	hooksPath = ${join(folder, 'hooks')}
	alternateRefsCommand = ${canary('alternate-refs')}
	attributesFile = ${join(folder, 'attributes')}
	sshCommand = ${canary('ssh')}
[diff]
	external = ${canary('diff-external')}
[diff "evil"]
	command = ${canary('diff-command')}
	textconv = ${canary('textconv', 'cat "$1"')}
[filter "evil"]
	clean = ${canary('clean')}
	smudge = ${canary('smudge')}
	required = true
[filter "longrunning"]
	process = ${canary('process', 'exit 1')}
[alias]
	add = !${canary('alias-add')}
	update-index = !${canary('alias-update-index')}
	write-tree = !${canary('alias-write-tree')}
	diff-tree = !${canary('alias-diff-tree')}
	own = !${canary('alias-own')}
[remote "origin"]
	url = ext::${canary('remote-ext')}
	promisor = true
[extensions]
	partialClone = origin
[include]
	path = ${include}
[submodule]
	recurse = true
`;
}

function hostileRepository(root: string): RealGit {
  const git = initialised(root);
  for (const name of ['a.txt', 'b.dat', 'c.conv']) git.write(name, 'one\n');
  git.write('.gitattributes', '*.txt filter=evil diff=evil\n*.dat filter=longrunning\n*.conv diff=evil\n');
  git.commit();
  for (const hook of HOOKS) {
    for (const place of [join(folder, 'hooks'), join(root, '.git/hooks')]) {
      mkdirSync(place, { recursive: true });
      cpSync(canary(`hook-${hook}`), join(place, hook));
    }
  }
  writeFileSync(join(root, '.git/config'), hostileConfig());
  writeFileSync(join(folder, 'attributes'), '* filter=evil diff=evil\n');
  writeFileSync(join(root, '.git/info/attributes'), '*.plain filter=evil diff=evil textconv=evil\n');
  return git;
}

async function observeAll(root: string, act: () => void) {
  const observer = observeGitTree(root, { stateFolder: join(folder, 'state'), searchPath: GIT_PATH });
  const before = await observer.snapshot();
  act();
  const changes = await observer.changes(before, await observer.snapshot());
  await observer.close();
  return changes;
}

test('no program of a hostile repository runs, and its changes are seen; plain git runs several', async () => {
  const git = hostileRepository(join(folder, 'repo'));
  const changes = await observeAll(git.root, () => {
    for (const name of ['a.txt', 'b.dat', 'c.conv', 'd.plain']) git.write(name, 'changed\nand longer\n');
  });
  expect(changes).toMatchObject({ created: ['d.plain'], updated: ['a.txt', 'b.dat', 'c.conv'], linesAdded: 8 });
  expect(sung()).toEqual([]);
  git.try('add', '--all', '--dry-run');
  git.try('status');
  git.try('own');
  expect(sung()).toEqual(expect.arrayContaining(['alias-own', 'clean', 'process']));
});

test('no program of a hostile submodule or of a repository inside runs', async () => {
  const inner = initialised(join(folder, 'inner'));
  inner.write('a.txt', 'one\n');
  inner.commit();
  const outer = initialised(join(folder, 'outer'));
  outer.run('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'part');
  outer.commit();
  const changes = await observeAll(outer.root, () => {
    writeFileSync(join(outer.root, '.git/modules/part/config'), hostileConfig());
    outer.write('.gitmodules', '[submodule "part"]\n\tpath = part\n\turl = ext::sh\n\tignore = none\n');
    outer.write('part/.gitattributes', '*.txt filter=evil diff=evil\n');
    outer.write('part/a.txt', 'changed in the submodule\n');
    hostileRepository(join(outer.root, 'nested'));
  });
  expect(changes).toMatchObject({ created: ['nested'], updated: ['.gitmodules'] });
  expect(sung()).toEqual([]);
});

test('nothing in the repository changes', async () => {
  const git = initialised(join(folder, 'repo'));
  for (let index = 0; index < 50; index++) git.write(`src/file${index}`, `${index}\n`);
  git.commit();
  git.write('src/file1', 'not staged\n');
  git.write('src/file2', 'staged\n');
  git.run('add', 'src/file2');
  const files = contents(join(git.root, '.git'));
  const changes = await observeAll(git.root, () => {
    git.write('src/file3', 'changed\n');
    git.write('new', 'new\n');
    rmSync(join(git.root, 'src/file4'));
  });
  expect(changes).toMatchObject({ created: ['new'], updated: ['src/file3'], deleted: ['src/file4'] });
  expect(contents(join(git.root, '.git'))).toEqual(files);
});

/** Every entry below a folder, with what is in it. */
function contents(root: string): Record<string, string> {
  return Object.fromEntries(
    (readdirSync(root, { recursive: true }) as string[]).toSorted().map((name) => {
      const stat = lstatSync(join(root, name));
      const what = stat.isFile()
        ? createHash('sha256')
            .update(readFileSync(join(root, name)))
            .digest('hex')
        : stat.isSymbolicLink()
          ? readlinkSync(join(root, name))
          : 'folder';
      return [name, `${stat.mode} ${what}`];
    }),
  );
}
