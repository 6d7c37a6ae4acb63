import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProcessEnd } from '../../src/kernel/process.ts';
import { runProcess } from '../../src/system/processes/run-process.ts';
import { attemptsOf } from './attempts.ts';
import { LEVELS, UNTESTED } from './levels.ts';
import { copiesLeft, fingerprintOf, openScene, type Scene, survivors } from './scene.ts';

/** Harmless ones, which must work when nothing holds them: an attempt that never works shows nothing. */
const CONTROL = [
  ...['reads a key in the home folder', 'reads beside the work tree', 'follows a link to a file', 'finds variables'],
  ...['follows a link to a folder', 'reads the settings of git', 'reads the store', 'sees many processes'],
  ...['sees the supervisor', 'signals the supervisor', 'connects to a port', 'connects to an abstract socket'],
  ...['connects to a socket in the home folder', 'connects to a socket in the work tree'],
];

test('the same attempts succeed without a sandbox', async () => {
  const scene = await openScene();
  const failed: string[] = [];
  for (const { name, command } of attemptsOf(scene, process.pid).filter((each) => CONTROL.includes(each.name))) {
    const env = { PATH: process.env.PATH ?? '', SECRET: scene.secret };
    const end = await runProcess({ command: ['sh', '-c', command], cwd: scene.tree, env, timeoutMs: 20_000 });
    if (!end.stdout.text.includes('ESCAPED') && !end.stdout.text.includes(scene.secret)) failed.push(name);
  }
  expect(failed).toEqual([]);
  expect(scene.connections()).toBe(4);
  scene.close();
});

for (const reason of UNTESTED) test.skip(`escapes cannot be tested here: ${reason}`, () => undefined);

describe.each(LEVELS)('under %s', (_, sandbox) => {
  let scene: Scene;
  let before: string;
  let ends: readonly ProcessEnd[] = [];
  const hidden = 'FOREWORD_TEST_HIDDEN_TOKEN';

  beforeAll(async () => {
    scene = await openScene();
    process.env[hidden] = scene.secret;
    before = fingerprintOf(scene.base);
    const commands = attemptsOf(scene, process.pid).map(({ command, timeoutMs = 20_000 }) => {
      return { command, workTree: scene.tree, timeoutMs };
    });
    // Each on a copy of its own: one that deletes everything must not spare the next its work.
    const all: ProcessEnd[] = [];
    for (const command of commands) all.push(...(await sandbox.run([command])));
    ends = all;
  });
  afterAll(() => {
    delete process.env[hidden];
    scene.close();
  });

  test('no attempt gets out', () => {
    const attempts = attemptsOf(scene, process.pid);
    const escaped = attempts.filter((_, index) => {
      const said = `${ends[index]?.stdout.text}${ends[index]?.stderr.text}`;
      return said.includes('ESCAPED') || said.includes(scene.secret);
    });
    expect(escaped.map(({ name }) => name)).toEqual([]);
    expect(attempts.length).toBeGreaterThanOrEqual(60);
  });

  test('every attempt was made', () => {
    expect(ends.filter((end) => end.startError !== undefined)).toEqual([]);
    const attempts = attemptsOf(scene, process.pid);
    expect(attempts.filter((_, index) => ends[index]?.endedBy !== undefined).map(({ name }) => name)).toEqual([
      'leaves processes that ignore signals',
      'leaves 200 processes',
    ]);
  });

  test('home, work tree and everything around them are the same to the byte', () => {
    expect(fingerprintOf(scene.base)).toBe(before);
  });

  test('nothing was heard outside', () => {
    expect(scene.connections()).toBe(0);
  });

  test('no process and no copy is left', async () => {
    expect(await survivors(scene.mark)).toEqual([]);
    expect(copiesLeft()).toEqual([]);
  });
});
