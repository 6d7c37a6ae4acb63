import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { decide, type HelperCommand } from '../../src/runs/judging/helper-commands.ts';
import { bundle, temporaryFolder } from '../bundle.ts';
import { find, LEVELS, UNTESTED } from './levels.ts';
import { copiesLeft, fingerprintOf, survivors } from './scene.ts';

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
