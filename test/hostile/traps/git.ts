// What git obeys: settings that name programs, hooks, attributes, and pointers to repositories of somebody else.

import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isolatedEnvironment, realGit } from '../../git/real-git.ts';
import type { Ground, Trap } from '../ground.ts';

const HOOKS = [
  'applypatch-msg',
  'commit-msg',
  'fsmonitor-watchman',
  'post-applypatch',
  'post-checkout',
  'post-commit',
  'post-index-change',
  'post-merge',
  'post-receive',
  'post-rewrite',
  'post-update',
  'pre-applypatch',
  'pre-auto-gc',
  'pre-commit',
  'pre-merge-commit',
  'pre-push',
  'pre-rebase',
  'pre-receive',
  'prepare-commit-msg',
  'proc-receive',
  'push-to-checkout',
  'query-watchman',
  'reference-transaction',
  'sendemail-validate',
  'update',
];

/** Every setting by which git starts a program. */
export function executingConfig(ground: Ground): string {
  const { canary } = ground;
  return `[core]
	repositoryformatversion = 0
	bare = false
	fsmonitor = ${canary('fsmonitor')}
	hooksPath = ${ground.at('.githooks')}
	pager = ${canary('pager', '/bin/cat')}
	editor = ${canary('editor')}
	sshCommand = ${canary('ssh')}
	gitProxy = ${canary('proxy')}
	askPass = ${canary('askpass')}
	alternateRefsCommand = ${canary('alternate-refs')}
	attributesFile = ${ground.at('.traps/attributes')}
	excludesFile = ${ground.outside.home}/.gitconfig
[sequence]
	editor = ${canary('sequence-editor')}
[diff]
	external = ${canary('diff-external', '/bin/cat')}
	tool = evil
[diff "evil"]
	command = ${canary('diff-command', '/bin/cat')}
	textconv = ${canary('textconv', '/bin/cat "$1"')}
[filter "evil"]
	clean = ${canary('clean', '/bin/cat')}
	smudge = ${canary('smudge', '/bin/cat')}
	required = true
[filter "longrunning"]
	process = ${canary('process')}
[merge "evil"]
	driver = ${canary('merge-driver')}
[pager]
	diff = ${canary('pager-diff', '/bin/cat')}
	status = ${canary('pager-status', '/bin/cat')}
	log = ${canary('pager-log', '/bin/cat')}
[interactive]
	diffFilter = ${canary('diff-filter', '/bin/cat')}
[credential]
	helper = !${canary('credential')}
[gpg]
	program = ${canary('gpg')}
[commit]
	gpgSign = true
[tag]
	gpgSign = true
[uploadpack]
	packObjectsHook = ${canary('pack-objects')}
[trailer "x"]
	command = ${canary('trailer')}
[alias]
	diff = !${canary('alias-diff')}
	status = !${canary('alias-status')}
	worktree = !${canary('alias-worktree')}
	rev-parse = !${canary('alias-rev-parse')}
[remote "origin"]
	url = ext::${canary('remote-ext')}
	pushurl = http://127.0.0.1:${ground.outside.port}/x
	proxy = http://127.0.0.1:${ground.outside.port}
	promisor = true
	partialclonefilter = blob:none
	uploadpack = ${canary('uploadpack')}
[url "ext::${canary('instead-of')}"]
	insteadOf = https://
[submodule]
	recurse = true
[submodule "part"]
	update = !${canary('submodule-update')}
	active = true
	url = ext::${canary('submodule-url')}
[gc]
	auto = 1
	autoDetach = true
[maintenance]
	auto = true
[include]
	path = ${ground.at('.traps/included')}
[includeIf "gitdir:**"]
	path = ${ground.outside.home}/.gitconfig
`;
}

const ATTRIBUTES = '*.txt filter=evil diff=evil merge=evil\n*.dat filter=longrunning\n*.ts diff=evil\n';

export const GIT_TRAPS: readonly Trap[] = [
  {
    name: 'attributes that lead every file into a filter',
    would: 'run the filters that the configuration names',
    set: (ground) => {
      ground.write('.gitattributes', ATTRIBUTES);
      for (const [index, name] of ['a.txt', 'b.dat', 'c.ts'].entries())
        ground.write(name, `changed since ${index}\nand longer\n`);
      ground.write('.git/info/attributes', '* filter=evil diff=evil\n');
      ground.write('.traps/attributes', '* filter=evil diff=evil\n');
      ground.write('.traps/included', `[core]\n\tfsmonitor = ${ground.canary('included-fsmonitor')}\n`);
    },
  },
  {
    name: 'a configuration with every setting that names a program',
    would: 'run it at status, diff, commit, checkout, fetch',
    set: (ground) => ground.write('.git/config', executingConfig(ground)),
  },
  {
    name: 'hooks of all kinds, in two places',
    would: 'run at commit, checkout, worktree, gc',
    set: (ground) => {
      for (const hook of HOOKS) {
        const program = ground.canary(`hook-${hook}`, 'exit 0');
        for (const folder of ['.git/hooks', '.githooks']) {
          mkdirSync(ground.at(folder), { recursive: true });
          cpSync(program, join(ground.at(folder), hook));
        }
      }
    },
  },
  {
    name: 'objects borrowed from the neighbour',
    would: 'read its objects, or write to them',
    set: (ground) => ground.write('.git/objects/info/alternates', `${ground.outside.victim}/.git/objects\n`),
  },
  {
    name: 'a submodule outside, with odd addresses',
    would: 'write to the neighbour, run what the address names',
    set: (ground) => {
      const { victim } = ground.outside;
      const part = (name: string, path: string, url: string) =>
        `[submodule "${name}"]\n\tpath = ${path}\n\turl = ${url}\n\tupdate = !${ground.canary('gitmodules-update')}\n`;
      ground.write(
        '.gitmodules',
        part('part', 'part', `ext::${ground.canary('gitmodules-url')}`) +
          part('../../x', '../victim', '-u./evil') +
          part('far', 'far', `file://${victim}`),
      );
      ground.write('far/.git', `gitdir: ${victim}/.git\n`);
      ground.write('far/file.txt', 'x\n');
    },
  },
  {
    name: 'a repository in the repository, with the same settings',
    would: 'run them when it is looked at',
    set: (ground) => {
      const inner = realGit(ground.at('part'), isolatedEnvironment(ground.root));
      inner.run('init', '--quiet', '--initial-branch=main');
      inner.write('a.txt', 'one\n');
      inner.commit();
      inner.write('.gitattributes', ATTRIBUTES);
      inner.write('a.txt', 'changed\n');
      writeFileSync(ground.at('part/.git/config'), executingConfig(ground));
      // Git takes a folder that looks like this for a bare repository.
      cpSync(ground.at('part/.git'), ground.at('docs/bare'), { recursive: true });
    },
  },
  {
    name: 'a branch whose name is a command and an escape sequence',
    would: 'run it in a shell, or write to the terminal',
    set: (ground) => {
      const name = 'refs/heads/\u001b[31m$(touch$IFS"canary")';
      cpSync(ground.at('.git/refs/heads/main'), ground.at(`.git/${name}`));
      ground.write('.git/HEAD', `ref: ${name}\n`);
    },
  },
  {
    name: 'work trees that belong to somebody else',
    would: 'prune or lock them there',
    set: (ground) => {
      ground.write('.git/worktrees/theirs/gitdir', `${ground.outside.victim}/.git\n`);
      ground.write('.git/worktrees/theirs/commondir', `${ground.outside.victim}/.git\n`);
      ground.write('.git/worktrees/theirs/HEAD', 'ref: refs/heads/main\n');
    },
  },
];
