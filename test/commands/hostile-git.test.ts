// A repository whose own git configuration names a program wherever git can run one. No command runs any of them.

import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { foreword, shop } from '../foreword.ts';

let project = '';
let top = '';

beforeEach(() => {
  project = shop();
  top = dirname(project);
  mkdirSync(join(top, 'home'));
});
afterEach(() => rmSync(top, { recursive: true }));

const log = () => join(top, 'executions');
const executions = () => (existsSync(log()) ? readFileSync(log(), 'utf8').trim().split('\n') : []);
const git = (...args: string[]) =>
  execFileSync('git', args, {
    cwd: project,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: join(top, 'home') },
  });
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text);
};

/** A program that leaves its name. */
function trap(name: string, then = 'cat'): string {
  const path = join(top, `trap-${name}`);
  writeFileSync(path, `#!/bin/sh\necho ${name} >> ${log()}\n${then}\n`);
  chmodSync(path, 0o755);
  return path;
}

const HOOKS = [
  'post-checkout',
  'post-index-change',
  'reference-transaction',
  'pre-commit',
  'post-commit',
  'pre-auto-gc',
];

/** Every setting of a repository's own configuration that names a program, and files that lead to the filters. */
function setTraps(): void {
  write('.gitattributes', '*.txt filter=evil diff=evil merge=evil\n*.dat filter=process\n');
  rmSync(join(project, '.foreword/policy.yaml'));
  for (const path of ['a.txt', 'b.dat']) write(path, 'one\n');
  // As git-lfs does: the work tree has another content than the repository.
  write('folder/c.txt', 'SMUDGED\n');
  git('-c', 'filter.evil.clean=sed s/SMUDGED/stored/', 'add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-q', '-m', 'traps');
  const hooks = join(top, 'hooks');
  for (const folder of [hooks, join(project, '.git/hooks')]) {
    mkdirSync(folder, { recursive: true });
    for (const hook of HOOKS) execFileSync('cp', [trap(`hook-${hook}`), join(folder, hook)]);
  }
  writeFileSync(join(top, 'included'), `[core]\n\tfsmonitor = ${trap('include-fsmonitor')}\n`);
  appendFileSync(
    join(project, '.git/config'),
    `
[include]
	path = ${join(top, 'included')}
[core]
	fsmonitor = ${trap('fsmonitor')}
	hooksPath = ${hooks}
	sshCommand = ${trap('ssh')}
	pager = ${trap('pager')}
	editor = ${trap('editor')}
	askPass = ${trap('askpass')}
	gitProxy = ${trap('proxy')}
	alternateRefsCommand = ${trap('alternate-refs')}
	worktree = ${project}
[filter "evil"]
	clean = ${trap('clean')}
	smudge = ${trap('smudge')}
	required = true
[filter "process"]
	process = ${trap('process', 'exit 1')}
[diff]
	external = ${trap('diff-external')}
[diff "evil"]
	command = ${trap('diff-command')}
	textconv = ${trap('textconv', 'cat "$1"')}
[merge "evil"]
	driver = ${trap('merge-driver')}
[gpg]
	program = ${trap('gpg')}
[commit]
	gpgSign = true
[credential]
	helper = !${trap('credential')}
[uploadpack]
	packObjectsHook = ${trap('pack-objects')}
[pager]
	worktree = ${trap('pager-worktree')}
[alias]
	worktree = !${trap('alias')}
	reset = !${trap('alias')}
	read-tree = !${trap('alias')}
[protocol "ext"]
	allow = always
[remote "origin"]
	url = ext::${trap('remote')}
	uploadpack = ${trap('remote-uploadpack')}
	promisor = true
	partialCloneFilter = blob:none
[submodule]
	recurse = true
`,
  );
  for (const path of ['a.txt', 'b.dat']) write(path, 'changed since\n');
  rmSync(log(), { force: true });
}

/** An agent of the person's own that needs no git. Its file is not named by its process: in a box each shell has the same number. */
function agentConfig(): string {
  const file = join(top, 'config.json');
  const command = ['/bin/sh', '-c', 'cat > /dev/null; cat a.txt b.dat folder/c.txt > "$(mktemp made-XXXXXX)"'];
  writeFileSync(
    file,
    JSON.stringify({ lineup: ['mine'], agents: { mine: { oneshot: { command, prompt: 'stdin' } } } }),
  );
  return file;
}

function taskFile(): string {
  const file = join(top, 'tasks.json');
  const task = (id: string) => ({
    task_id: id,
    title: id,
    instructions: 'x',
    acceptance_criteria: [{ text: 'there', check: { file_exists: 'folder/c.txt' } }],
  });
  writeFileSync(file, JSON.stringify(['one', 'two', 'three'].map(task)));
  return file;
}

const HOOK_INPUT = () =>
  JSON.stringify({ session_id: 'x', cwd: project, hook_event_name: 'SessionStart', prompt: 'x' });

test('plain git runs what this repository names', () => {
  setTraps();
  for (const args of [['status'], ['diff'], ['worktree', 'add', '-q', join(top, 'plain')]]) {
    try {
      git(...args);
    } catch {
      // Some of them end it.
    }
  }
  expect(new Set(executions())).toEqual(new Set([...executions(), 'clean', 'process', 'smudge']));
  expect(executions().length).toBeGreaterThan(5);
});

test('no command of ours runs anything that the repository configures, and work is done all the same', async () => {
  setTraps();
  const options = {
    cwd: project,
    env: { HOME: join(top, 'home'), XDG_RUNTIME_DIR: join(top, 'home') },
  };
  const run = ['run', taskFile(), '--config', agentConfig()];
  for (const [args, input] of [
    [['context']],
    [['prompt', 'api_health']],
    [['search', 'changed']],
    [['load', '--anyway']],
    [['save', 'words']],
    [['status']],
    [['doctor']],
    [['hook', 'start', 'claude'], HOOK_INPUT()],
    [['hook', 'prompt', 'claude'], HOOK_INPUT()],
    [[...run, '--only', 'one']],
    [[...run, '--concurrency', '2']],
    [['history', 'two']],
    [['report']],
    [['effect']],
    [['export']],
    [['init', '--dry-run']],
    [['trust']],
    [['clean']],
  ] as const) {
    await foreword(args, { ...options, ...(input === undefined ? {} : { input }) });
    expect([args.join(' '), executions()]).toEqual([args.join(' '), []]);
  }
  const { stdout } = await foreword(['status', '--json'], options);
  const { tasks } = JSON.parse(stdout) as { tasks: readonly { status: string }[] };
  expect(tasks.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
  // Agents work on what is committed, as it is stored: the repository's filters do not run.
  const projects = join(top, 'home/.local/state/foreword/projects');
  const work = join(projects, readdirSync(projects).find((name) => /^p[0-9a-f]{16}$/.test(name)) ?? '', 'work.git');
  const ours = (...words: string[]) =>
    execFileSync('git', words, { cwd: work, env: { PATH: process.env.PATH }, encoding: 'utf8' });
  const tip = ours('for-each-ref', '--format=%(objectname)', 'refs/foreword/*/tip').trim();
  const made = ours('ls-tree', '--name-only', tip)
    .split('\n')
    .filter((name) => name.startsWith('made-'));
  expect(made.map((name) => ours('cat-file', 'blob', `${tip}:${name}`))).toEqual(
    Array.from({ length: 3 }, () => 'one\none\nstored\n'),
  );
});
