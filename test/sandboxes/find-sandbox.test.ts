import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ProcessRequest, RunProcess } from '../../src/kernel/process.ts';
import { diagnose } from '../../src/runs/sandboxes/diagnosis.ts';
import { runProcess } from '../../src/system/processes/run-process.ts';
import { temporaryFolder } from '../bundle.ts';
import { find, LEVELS, ownCopies } from './levels.ts';

ownCopies();

let folder: string;
let requests: ProcessRequest[];
const counted: RunProcess = (request, signal) => {
  requests.push(request);
  return runProcess(request, signal);
};
beforeEach(() => {
  folder = temporaryFolder('find-sandbox');
  requests = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

function program(path: string, text: string, mode = 0o755): string {
  const file = join(folder, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, mode);
  return join(file, '..');
}

test('no program on the search path: missing, with the way to install it, and nothing was run', async () => {
  expect(await find('bubblewrap', { searchPath: folder, run: counted })).toEqual({
    kind: 'missing',
    reason: 'bubblewrap: no program bwrap on the search path outside the work tree',
    hint: expect.stringContaining('apt install bubblewrap'),
  });
  const auto = await find('auto', { searchPath: folder, run: counted });
  expect(auto).toMatchObject({ kind: 'missing', reason: expect.stringMatching(/bwrap .*; unshare: no program/) });
  expect(requests).toEqual([]);
});

test('a program that is not executable, or a folder of that name, is none', async () => {
  const searchPath = program('a/bwrap', 'exit 0', 0o644);
  mkdirSync(join(folder, 'b/bwrap'), { recursive: true });
  const both = `${searchPath}:${join(folder, 'b')}`;
  expect(await find('bubblewrap', { searchPath: both, run: counted })).toMatchObject({ kind: 'missing' });
  expect(requests).toEqual([]);
});

test('a program in the work tree is never taken, nor one reached by a link or a relative entry', async () => {
  const inside = program('tree/bin/bwrap', 'touch ran; echo bubblewrap 0.8.0');
  mkdirSync(join(folder, 'links'));
  symlinkSync(join(inside, 'bwrap'), join(folder, 'links/bwrap'));
  const searchPath = [inside, join(folder, 'links'), '.', 'bin', ''].join(':');
  const workTree = join(folder, 'tree');
  expect(await find('bubblewrap', { searchPath, workTree, run: counted })).toMatchObject({ kind: 'missing' });
  expect(requests).toEqual([]);
});

test.skipIf(LEVELS.length < 2)('what shadows it in the work tree is passed over for the real one', async () => {
  const workTree = join(folder, 'tree');
  const shadow = program('tree/bin/bwrap', 'exit 0');
  const finding = await find('bubblewrap', { searchPath: `${shadow}:/usr/bin`, workTree, run: counted });
  expect(finding.kind).toBe('ready');
  expect(requests.flatMap(({ command }) => command).filter((word) => word.startsWith(workTree))).toEqual([]);
});

test('a program that runs everything and shuts in nothing fails the self-test', async () => {
  const searchPath = program(
    'bin/bwrap',
    '[ "$1" = --version ] && { echo bubblewrap 0.8.0; exit; }\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"',
  );
  const finding = await find('bubblewrap', { searchPath });
  expect(finding).toMatchObject({ kind: 'missing', reason: expect.stringContaining('self-test failed') });
  const places = ['/', '/usr', '/etc', homedir()].flatMap((place) => readdirSync(place));
  expect(places.filter((name) => name.includes('foreword-probe'))).toEqual([]);
});

test('a program that only says that all is well fails the self-test', async () => {
  const searchPath = program('bin/bwrap', 'echo "bubblewrap 0.8.0"; echo "all probes ran"; exit 7');
  expect(await find('bubblewrap', { searchPath })).toMatchObject({ kind: 'missing' });
});

test.skipIf(LEVELS.length < 2)(
  'without nsenter nothing limits what is written in total, and the level says so',
  async () => {
    for (const name of ['bwrap', 'unshare']) symlinkSync(`/usr/bin/${name}`, join(folder, name));
    for (const level of ['bubblewrap', 'unshare'] as const) {
      const finding = await find(level, { searchPath: folder });
      if (finding.kind === 'missing') throw new Error(finding.reason);
      expect(finding.sandbox.level).toContain('a limit on what commands write in total');
      mkdirSync(join(folder, 'tree'), { recursive: true });
      const command = 'head -c 5M /dev/zero > /tmp/a && head -c 5M /dev/zero > a && head -c 5M /dev/zero > /tmp/b';
      const ends = await finding.sandbox.run([{ command, workTree: join(folder, 'tree'), timeoutMs: 10_000 }]);
      expect(ends).toMatchObject([{ exitCode: 1, stderr: { text: expect.stringContaining('No space left') } }]);
    }
  },
);

test('a configured level is used or nothing is', async () => {
  const searchPath = program('bin/bwrap', 'echo "bwrap: No permissions to create a new namespace" >&2; exit 1');
  const finding = await find('bubblewrap', { searchPath: `${searchPath}:/usr/bin`, run: counted });
  expect(finding).toMatchObject({ kind: 'missing', reason: expect.stringMatching(/^bubblewrap: /) });
  expect(requests.every(({ command }) => command[0] === join(searchPath, 'bwrap'))).toBe(true);
});

test('switched off is missing', async () => {
  expect(await find('none', { run: counted })).toMatchObject({
    kind: 'missing',
    reason: 'the sandbox is switched off',
  });
  expect(requests).toEqual([]);
});

test.each(['/', homedir(), '/proc', '/run', '/dev/shm', '/tmp', 'relative', '/no/such/folder'])(
  'the folder %s is not shown to commands, whoever lists it',
  async (path) => {
    const finding = await find('auto', { readOnly: [path], run: counted });
    expect(finding).toMatchObject({ kind: 'missing', reason: expect.stringContaining('sandbox.readOnly') });
    expect(requests).toEqual([]);
  },
);

test.each([
  [
    'bwrap: setting up uid map: Permission denied',
    { 'kernel/apparmor_restrict_unprivileged_userns': '1' },
    'AppArmor',
    'bwrap-userns-restrict',
  ],
  [
    'bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted',
    { 'kernel/apparmor_restrict_unprivileged_userns': '1' },
    'AppArmor',
    'bwrap-userns-restrict',
  ],
  [
    'bwrap: No permissions to create a new namespace',
    { 'kernel/unprivileged_userns_clone': '0' },
    'are off for',
    'unprivileged_userns_clone=1',
  ],
  [
    'bwrap: Creating new namespace failed: No space left',
    { 'user/max_user_namespaces': '0' },
    'are off',
    'max_user_namespaces',
  ],
  ['unshare: unshare failed: Operation not permitted', {}, 'does not allow namespaces', 'container'],
  ['a command can read /etc/x', {}, 'self-test failed', 'Fix what it reports'],
])('"%s" is explained, with its cure', (said, settings: Record<string, string>, reason, hint) => {
  const finding = diagnose('bubblewrap', said, (path) => settings[path]);
  expect(finding.reason).toContain(reason);
  expect(finding.reason).toContain(said);
  expect(finding.hint).toContain(hint);
});
