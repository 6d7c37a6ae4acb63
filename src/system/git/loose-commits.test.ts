// Commits as files, beside what git itself says of the same repository.

import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/bundle.ts';
import { commitsSince } from './commits-between.ts';
import { looseCommits } from './loose-commits.ts';
import { openRepository } from './repository.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('loose');
  git('init', '-q', '-b', 'main');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ENV = {
  PATH: process.env.PATH,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@b.c',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@b.c',
};

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, env: ENV, encoding: 'utf8' }).trim();
}

function commit(message: string, at = Date.now()): string {
  const when = `${Math.floor(at / 1000)} +0000`;
  const env = { ...ENV, GIT_COMMITTER_DATE: when, GIT_AUTHOR_DATE: when };
  execFileSync('git', ['commit', '-q', '--allow-empty', '--cleanup=verbatim', '-m', message], { cwd: folder, env });
  return git('rev-parse', 'HEAD');
}

const repository = () => openRepository(folder) ?? expect.fail();
const seen = (from: string | null, untilMs = Date.now()) =>
  looseCommits(repository(), { head: git('rev-parse', 'HEAD'), from }, untilMs);

test('a line of commits is read as git prints it, newest first', async () => {
  const first = commit('begin');
  for (const message of [
    'add a route',
    'two lines\nof one subject\n\nand a body',
    'Ünïcode → ok',
    '\n\nafter blank lines',
  ])
    commit(message);
  const now = Date.now();
  expect(seen(first)).toEqual(await commitsSince(repository(), first, now));
  expect(seen(null)).toEqual(await commitsSince(repository(), null, now));
  expect(seen(git('rev-parse', 'HEAD'))).toEqual([]);
});

test('what came after the session is left out', async () => {
  const first = commit('begin', 1_700_000_000_000);
  commit('in the session', 1_700_000_100_000);
  commit('after it', 1_700_009_000_000);
  const until = 1_700_000_200_000;
  expect(seen(first, until)).toEqual(await commitsSince(repository(), first, until));
  expect(seen(first, until)).toHaveLength(1);
});

test('what is not a plain line of files is left to git', () => {
  const first = commit('begin');
  git('switch', '-q', '-c', 'side');
  const side = commit('on a side');
  git('switch', '-q', 'main');
  commit('on main');
  // Where the session began is on another branch.
  expect(seen(side)).toBeUndefined();
  git('merge', '-q', '--no-ff', '-m', 'both', 'side');
  expect(seen(first)).toBeUndefined();
});

test('packed and far too many commits are left to git', () => {
  const first = commit('begin');
  for (let count = 0; count < 21; count += 1) commit(`number ${count}`);
  expect(seen(first)).toBeUndefined();
  expect(seen(git('rev-parse', 'HEAD~1'))).toHaveLength(1);
  git('gc', '-q', '--prune=now');
  expect(seen(git('rev-parse', 'HEAD~1'))).toBeUndefined();
});

test('a damaged file is left to git', () => {
  const first = commit('begin');
  const last = commit('next');
  const file = join(folder, '.git/objects', last.slice(0, 2), last.slice(2));
  for (const bytes of [Buffer.from('no object'), deflateSync('blob 3\0abc'), deflateSync('commit 5\0tree ')]) {
    rmSync(file);
    writeFileSync(file, bytes);
    expect(looseCommits(repository(), { head: last, from: first }, Date.now())).toBeUndefined();
  }
});
