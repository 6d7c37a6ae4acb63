// A person's repositories of any kind in one folder, and a run of one task in one of them. Whatever the repository is, the branch
// has exactly what the agent changed, and everything else in the folder is as it was.

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { sha256 } from '../../src/system/sha256.ts';
import { everything } from '../checkouts/field.ts';
import { foreword, type Ran } from '../foreword.ts';
import { type Field, makeField } from './field.ts';

export type Deed = readonly [string, ...(string | number)[]];

export interface Ground {
  readonly field: Field;
  /** Where commands run; a path below the folder of the person. */
  at: string;
  /** The repository `repo`, in which all paths begin. */
  readonly repo: string;
  /** Git of the person in `repo`, or with `-C` elsewhere. Output without its last line end. */
  git(...args: string[]): string;
  write(path: string, content: string | Uint8Array): void;
  link(target: string, path: string): void;
  /** A program that leaves `ran/NAME` in the home when it runs. */
  program(path: string, name: string, body?: string): string;
  /** Names of such programs that ran since the last question. */
  ran(): readonly string[];
  commit(message?: string): void;
  /** Lines of ~/.gitconfig. */
  home(...lines: string[]): void;
  run(...args: string[]): Promise<Ran>;
  runWith(env: Readonly<Record<string, string>>): Promise<Ran>;
  command(...args: string[]): Promise<Ran>;
  /** Path → mode and content of what the branch has otherwise than its base; `gone` where it was deleted. Bytes as latin1. */
  changed(): Record<string, string>;
  branch(): string;
  /** Everything of the person, but for objects and what a run may add. */
  personal(): Record<string, string>;
}

/** Objects, and what a run may add. */
export const OURS = /\/(objects|refs\/heads\/foreword|refs\/foreword|reftable)$/;

/** Of a larger file the hash is shown. */
const LARGE = 1024 * 1024;

export const NEW = { 'new.txt': '100644 done\n' };

/** The agent does `deeds`, and then writes new.txt, which the task asks for. */
export function makeGround(deeds: readonly Deed[] = [], more: object = {}, settings: object = {}): Ground {
  const task = {
    task_id: 'a',
    intent: 'Make a',
    instructions: `do: ${JSON.stringify([...deeds, ['write', 'new.txt', 'done\n']])}`,
    acceptance_criteria: [{ text: 'it is done', check: { file_contains: { path: 'new.txt', pattern: '^done$' } } }],
    retry_policy: { max_retries: 0 },
    ...more,
  };
  const field = makeField({ agents: { first: ['follows'] }, tasks: [task], isGit: false, settings });
  const repo = join(field.project, 'repo');
  rmSync(field.project, { recursive: true });
  mkdirSync(repo, { recursive: true });
  mkdirSync(join(field.folder, 'ran'));
  const env = { PATH: process.env.PATH ?? '', HOME: field.folder, GIT_CONFIG_NOSYSTEM: '1' };
  const gitBytes = (...args: string[]) =>
    execFileSync('git', ['--no-replace-objects', ...args], {
      cwd: repo,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 1 << 28,
    });
  const git = (...args: string[]) =>
    gitBytes(...args)
      .toString('utf8')
      .trimEnd();
  const put = (path: string, make: (full: string) => void) => {
    mkdirSync(dirname(join(repo, path)), { recursive: true });
    make(join(repo, path));
    return join(repo, path);
  };
  const inPlace = (...args: string[]) => git('-C', join(field.project, ground.at), ...args);
  const call = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    foreword(args, {
      cwd: join(field.project, ground.at),
      env: { HOME: field.folder, GIT_CONFIG_NOSYSTEM: '1', ...more },
    });
  const ground: Ground = {
    field,
    at: 'repo',
    repo,
    git,
    write: (path, content) => void put(path, (full) => writeFileSync(full, content)),
    link: (target, path) => void put(path, (full) => symlinkSync(target, full)),
    program: (path, name, body = 'exit 1') =>
      put(path, (full) => {
        writeFileSync(full, `#!/bin/sh\n: > '${join(field.folder, 'ran', name)}'\n${body}\n`);
        chmodSync(full, 0o755);
      }),
    ran: () => {
      const names = Object.keys(everything(join(field.folder, 'ran'))).toSorted();
      for (const name of names) rmSync(join(field.folder, 'ran', name));
      return names;
    },
    commit: (message = 'a commit') => {
      git('add', '--all');
      git(
        '-c',
        'user.name=t',
        '-c',
        'user.email=t@example.com',
        '-c',
        'commit.gpgSign=false',
        'commit',
        '-qm',
        message,
      );
    },
    home: (...lines) => writeFileSync(join(field.folder, '.gitconfig'), `${lines.join('\n')}\n`),
    run: (...args) => call([...field.args, ...args]),
    runWith: (more) => call(field.args, more),
    command: (...args) => call([...args, ...field.args.slice(2)]),
    branch: () => inPlace('for-each-ref', '--format=%(refname)', 'refs/heads/foreword/'),
    changed: () => {
      const base = inPlace('for-each-ref', '--format=%(objectname)', 'refs/foreword/*/base');
      const from = base === '' ? inPlace('hash-object', '-t', 'tree', '/dev/null') : base;
      const at = ['-C', join(field.project, ground.at)];
      const raw = gitBytes(
        ...at,
        'diff-tree',
        '-r',
        '-z',
        '--raw',
        '--no-renames',
        '--no-abbrev',
        from,
        ground.branch(),
      );
      const found = raw.toString('latin1').matchAll(/:\d+ (\d+) \w+ (\w+) [A-Z]\0([^\0]+)\0/g);
      return Object.fromEntries(
        [...found].map(([, mode = '', id = '', path = '']) => {
          if (/^0+$/.test(mode)) return [path, 'gone'];
          const bytes = mode === '160000' ? Buffer.from(id) : gitBytes(...at, 'cat-file', 'blob', id);
          const content = bytes.toString('latin1');
          return [path, `${mode} ${bytes.length < LARGE ? content : `${bytes.length} bytes with ${sha256(content)}`}`];
        }),
      );
    },
    personal: () => {
      const refs = inPlace('for-each-ref', '--format=%(refname) %(objectname)').split('\n');
      const theirs = refs.filter((ref) => !/^refs\/(heads\/foreword\/|foreword\/)/.test(ref)).join('\n');
      const status = inPlace('--no-optional-locks', 'status', '--porcelain', '--ignored');
      return { ...everything(field.project, OURS), refs: theirs, status };
    },
  };
  return ground;
}

/** A repository with one commit, in `repo`. */
export function begin({ git, write, commit }: Ground, ...options: string[]): void {
  git('init', '-q', '--initial-branch=main', ...options);
  write('readme.txt', 'a project\n');
  commit('first');
}

/** Runs the task. The person's folder is as before, and their repository is whole. */
export async function completes(ground: Ground, changed: Record<string, string> = NEW): Promise<Ran> {
  const { git, field, at } = ground;
  git('-C', join(field.project, at), 'status');
  const before = ground.personal();
  ground.ran();
  const ran = await ground.run();
  expect([ran.status, ran.stderr, ground.ran()]).toEqual([0, '', []]);
  expect(ground.changed()).toEqual(changed);
  expect(ground.personal()).toEqual(before);
  git('-C', join(field.project, at), 'fsck', '--strict', '--no-dangling');
  return ran;
}
