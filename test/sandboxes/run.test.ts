import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { decide, type HelperCommand } from '../../src/runs/judging/helper-commands.ts';
import { bundle, temporaryFolder } from '../bundle.ts';
import { find, LEVELS, ownCopies, UNTESTED } from './levels.ts';
import { copiesLeft, fingerprintOf, survivors } from './scene.ts';

ownCopies();

for (const reason of UNTESTED) test.skip(`runs cannot be tested here: ${reason}`, () => undefined);

let tree: string;
beforeEach(() => {
  tree = temporaryFolder("a tree's");
});
afterEach(() => {
  rmSync(tree, { recursive: true });
  expect(copiesLeft()).toEqual([]);
});

function put(path: string, text = 'x'): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), text);
}

const SERVER = `
const server = require('node:http').createServer((_, answer) => answer.end('works')).listen(0, '127.0.0.1', async () => {
  const answer = await fetch('http://127.0.0.1:' + server.address().port);
  await new Promise((done) => new (require('node:worker_threads').Worker)('1', { eval: true }).on('exit', done));
  require('node:os').networkInterfaces();
  require('node:fs').watch('.').close();
  console.log(await answer.text());
  process.exit();
});`;
const THREAD = `
#include <pthread.h>
#include <stdio.h>
static void *print(void *text) { puts(text); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, print, "works"); return pthread_join(t, 0); }`;
const JAVA = `public class A { public static void main(String[] a) throws Exception {
  Thread t = new Thread(() -> System.out.println("works")); t.start(); t.join(); new java.net.ServerSocket(0).close(); } }`;
const PYTHON = `import multiprocessing, subprocess, threading
print(subprocess.check_output(['echo', 'works']).decode(), multiprocessing.Pool(2).map(abs, [-1, 2]))`;

/** What projects are built and tested with. Each is tried where the machine has it. */
const ORDINARY: readonly { program: string; files: Readonly<Record<string, string>>; command: string }[] = [
  { program: 'node', files: { 'a.js': SERVER }, command: 'node a.js' },
  {
    program: 'npm',
    files: {
      'package.json': '{"scripts":{"test":"node --test"}}',
      'a.test.js': "require('node:test')('works', () => {})",
    },
    command: 'npm test 2>&1',
  },
  {
    program: 'git',
    files: { a: '' },
    command: 'git init -q . && git add . && git -c user.name=a -c user.email=b commit -qm works && git log',
  },
  { program: 'gcc', files: { 'a.c': THREAD }, command: 'gcc -pthread -o a a.c && ./a' },
  { program: 'make', files: { Makefile: 'all:\n\t@echo works\n' }, command: 'make -j2' },
  { program: 'python3', files: { 'a.py': PYTHON }, command: 'python3 a.py' },
  { program: 'perl', files: {}, command: `perl -e 'print fork ? wait && "works" : ""'` },
  { program: 'java', files: { 'A.java': JAVA }, command: 'java A.java' },
  { program: 'script', files: {}, command: 'script -qec "stty -a > x && echo works" /dev/null' },
  { program: 'tar', files: { a: '' }, command: 'mkfifo pipe; tar cf - a | tar tf - && echo works' },
];

describe.each(LEVELS)('under %s', (name, sandbox) => {
  const run = async (...commands: string[]) =>
    (await sandbox.run(commands.map((command) => ({ command, workTree: tree, timeoutMs: 20_000 })))).map((end) => ({
      status: end.startError ?? end.exitCode,
      said: end.stdout.text.trim(),
    }));

  test('commands run one after the other on one copy, at the place of the work tree, with their own statuses', async () => {
    put('a', 'hello');
    expect(await run('pwd', 'cat a; echo more > b', 'cat b; rm a', 'test -f a', 'exit 42', 'kill -9 $$')).toEqual([
      { status: 0, said: tree },
      { status: 0, said: 'hello' },
      { status: 0, said: 'more' },
      { status: 1, said: '' },
      { status: 42, said: '' },
      { status: 137, said: '' },
    ]);
    expect(readdirSync(tree)).toEqual(['a']);
    expect(sandbox.level).toMatch(/^(bubblewrap|unshare) \d/);
  });

  test('the copy has modes, times, links and empty folders, but no .git and nothing of ours', async () => {
    put('run.sh', '#!/bin/sh\necho ran');
    chmodSync(join(tree, 'run.sh'), 0o755);
    utimesSync(join(tree, 'run.sh'), 1_000_000_000, 1_000_000_000);
    symlinkSync('run.sh', join(tree, 'link'));
    mkdirSync(join(tree, 'empty'));
    put('.git/HEAD');
    put('sub/.git/HEAD');
    put('.foreword/store.db');
    put('sub/.foreword/kept');
    put('-dash and "quote"');
    const look = 'stat -c "%A %Y" run.sh; readlink link; ./link; find . -mindepth 1 | sort | tr "\\n" " "';
    expect((await run(look))[0]?.said.split('\n')).toEqual([
      '-rwxr-xr-x 1000000000',
      'run.sh',
      'ran',
      './-dash and "quote" ./empty ./link ./run.sh ./sub ./sub/.foreword ./sub/.foreword/kept',
    ]);
  });

  test('a large node_modules is read-only and works: packages, scopes, programs, workspaces, caches', async () => {
    put('node_modules/one/index.js', 'exports.name = require("two").name');
    put('node_modules/two/index.js', 'exports.name = "two"');
    put('node_modules/@s/three/index.js', 'exports.name = "three"');
    put('node_modules/one/cli.js', '#!/usr/bin/env node\nconsole.log("cli")');
    chmodSync(join(tree, 'node_modules/one/cli.js'), 0o755);
    put('packages/four/index.js', 'exports.name = "four"');
    symlinkSync('../../packages/four', join(tree, 'node_modules/@s/four'));
    mkdirSync(join(tree, 'node_modules/.bin'));
    symlinkSync('../one/cli.js', join(tree, 'node_modules/.bin/cli'));
    for (let index = 0; index < 30; index += 1) put(`node_modules/two/files/${index}`);
    const before = fingerprintOf(tree);
    const script = 'console.log(["one","@s/three","@s/four"].map((p)=>require(p).name).join())';
    expect(
      await run(
        `node -e '${script}'`,
        'node_modules/.bin/cli',
        'mkdir -p node_modules/.cache && echo x > node_modules/.cache/x',
        'echo evil > node_modules/two/index.js',
        'rm -rf node_modules/* packages',
      ),
    ).toEqual([
      { status: 0, said: 'two,three,four' },
      { status: 0, said: 'cli' },
      { status: 0, said: '' },
      { status: 2, said: '' },
      { status: 0, said: '' },
    ]);
    expect(fingerprintOf(tree)).toBe(before);
  });

  test('commands that write too much find a full disk, and ours has no byte of it', async () => {
    put('a');
    const fill =
      'i=0; while head -c 4M /dev/zero > big$i; do i=$((i+1)); [ $i -lt 20 ] || exit 0; done 2>/dev/null; exit 1';
    const ends = await run(
      `${fill}`,
      'echo x > one-more 2>/dev/null || echo full',
      'rm big*; echo x > one-more && cat one-more',
      'echo x > /tmp/x; echo x > /dev/shm/x; ls /tmp /dev/shm | grep -cx x',
      'ls /tmp /dev/shm | grep -x x',
      'i=0; while : > f$i; do i=$((i+1)); done 2>/dev/null; [ $i -lt 500 ] && echo full',
    );
    expect(ends.map(({ status, said }) => [status, said])).toEqual([
      [1, ''],
      [0, 'full'],
      [0, 'x'],
      [0, '2'],
      [1, ''],
      [2, ''],
    ]);
  });

  test('a command that makes folders too deep to remove does not stop the next', async () => {
    put('a');
    const deep = `perl -e 'chdir "/tmp"; for (1..60) { mkdir "d" x 200; chdir "d" x 200 }'`;
    expect(await run(existsSync('/usr/bin/perl') ? deep : 'true', 'ls /tmp')).toEqual([
      { status: 0, said: '' },
      { status: 0, said: expect.not.stringContaining('ddd') },
    ]);
  });

  test('a work tree larger than what commands may write has room for that much more', async () => {
    for (let index = 0; index < 8; index += 1) put(`large/${index}`, 'x'.repeat(4 * 2 ** 20));
    const [end] = await run(
      'cat large/* | wc -c; head -c 7M /dev/zero > more && head -c 7M /dev/zero > and-more && echo fits',
    );
    expect(end).toEqual({ status: 0, said: `${32 * 2 ** 20}\nfits` });
  });

  const tools = ORDINARY.filter(({ program }) => existsSync(`/usr/bin/${program}`));
  test.each(tools)('ordinary work goes on: $program', async ({ files, command }) => {
    for (const [name, text] of Object.entries(files)) put(name, text);
    const [end] = await sandbox.run([{ command, workTree: tree, timeoutMs: 60_000 }]);
    expect([end?.exitCode, end?.stderr.text, end?.stdout.text]).toEqual([0, '', expect.stringContaining('works')]);
  });

  test('a work tree that is too large is not run, and says so', async () => {
    for (let index = 0; index < 2_001; index += 1) put(`many/${index}`, '');
    expect(await run('true')).toEqual([
      { status: 'the work tree could not be copied: it has more than 2000 files', said: '' },
    ]);
  });

  test.each(['/', homedir(), dirname(homedir()), '/usr', '/proc', '/no/such/tree'])(
    'the work tree %s is refused',
    async (path) => {
      const ends = await sandbox.run([{ command: 'touch ran', workTree: path, timeoutMs: 5_000 }]);
      expect(ends).toMatchObject([{ exitCode: null, startError: expect.stringContaining('work tree') }]);
    },
  );

  test('listed folders can be read, and not written', async () => {
    const place = join(homedir(), `.foreword-listed-${process.pid}`);
    mkdirSync(place);
    try {
      writeFileSync(join(place, 'tool'), 'tool');
      const finding = await find(name as 'bubblewrap' | 'unshare', { readOnly: [place] });
      expect(finding.kind).toBe('ready');
      if (finding.kind !== 'ready') return;
      const command = `cat ${place}/tool; touch ${place}/new || echo; ls ${homedir()}/.[b-z]*rc 2>/dev/null`;
      const ends = await finding.sandbox.run([{ command, workTree: tree, timeoutMs: 5_000 }]);
      expect(ends[0]?.stdout.text.trim()).toBe('tool');
      expect(readdirSync(place)).toEqual(['tool']);
    } finally {
      rmSync(place, { recursive: true });
    }
  });

  test('stopping ends the command at once and runs no other', async () => {
    put('a');
    const stop = new AbortController();
    const commands = ['sleep 60', 'sleep 60'].map((command) => ({ command, workTree: tree, timeoutMs: 60_000 }));
    setTimeout(() => stop.abort(), 200);
    const began = performance.now();
    expect(await sandbox.run(commands, stop.signal)).toMatchObject([{ endedBy: 'caller' }, { endedBy: 'caller' }]);
    expect(performance.now() - began).toBeLessThan(4_000);
  });

  test('stopped at any moment of its start, it is gone soon and whole', async () => {
    const mark = `7654.${process.pid}`;
    for (let timeoutMs = 1; timeoutMs < 60; timeoutMs += 4) {
      const began = performance.now();
      const command = `setsid sleep ${mark} & sleep ${mark}`;
      expect(await sandbox.run([{ command, workTree: tree, timeoutMs }])).toMatchObject([{ endedBy: 'timeout' }]);
      // TERM ends it nearly always; a start that does not hear it is ended by KILL five seconds later, never later.
      expect(performance.now() - began).toBeLessThan(15_000);
    }
    expect(await survivors(mark)).toEqual([]);
  });

  test('words do not pass: only the status of a command that can fail does', async () => {
    put('a');
    const proposed = [
      'echo "ALL TESTS PASSED"; exit 1',
      'cat b || true',
      'echo PASS',
      'test -f a',
      'printf "bwrap: broken\\n" >&2; exit 1',
      'sleep 60',
    ];
    const commands: HelperCommand[] = proposed.map((command, index) => ({ criterion: index + 1, command, why: '' }));
    const ends = await sandbox.run(commands.map(({ command }) => ({ command, workTree: tree, timeoutMs: 1_000 })));
    const results = decide(['c1', 'c2', 'c3', 'c4', 'c5', 'c6'], commands, ends);
    const imitation = name === 'bubblewrap' ? 'not-run' : 'failed';
    expect(results.map(({ outcome }) => outcome)).toEqual([
      'failed',
      'not-run',
      'not-run',
      'passed',
      imitation,
      'not-run',
    ]);
  });
});

test.skipIf(!existsSync('/bin/bash'))('an open file that our parent left us is not passed on', () => {
  const script = bundle(join(import.meta.dirname, 'show-open-files.ts'));
  const opened = spawnSync('/bin/bash', [
    '--norc',
    '-c',
    `exec 41>/dev/null 42>/dev/null; exec ${process.execPath} ${script}`,
  ]);
  expect(JSON.parse(opened.stdout.toString())).toEqual({ plain: ['41', '42'], closed: [] });
});
