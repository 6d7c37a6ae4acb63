// Machines without a box, boxes that end badly, and what a killed run leaves.

import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, vi } from 'vitest';
import { findProgram } from '../../src/system/processes/find-program.ts';
import { survivors } from '../sandboxes/scene.ts';
import { type BoxField, boxed, makeBoxField } from './field.ts';

const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');
let field: BoxField;
afterEach(() => field.remove());
const attempt = async () => (await field.attempts('a')).at(-1);

/** A search path with what a run needs, and with this in place of bwrap. */
function pathWith(bwrap: string | undefined): string {
  const folder = join(field.folder, 'path');
  mkdirSync(folder);
  for (const name of ['git', 'sh', 'bash', 'node', 'cat', 'sleep', 'setsid'])
    symlinkSync(findProgram(name, { path: process.env.PATH ?? '', cwd: '/' }) ?? '', join(folder, name));
  if (bwrap !== undefined) {
    writeFileSync(join(folder, 'bwrap'), bwrap);
    chmodSync(join(folder, 'bwrap'), 0o755);
  }
  return folder;
}

/** What the self-test of a box that holds nothing wrote and did not remove. */
function probesLeft(): readonly string[] {
  return ['/', '/usr', '/etc', field.folder].flatMap((place) =>
    readdirSync(place).filter((name) => name.includes('foreword-probe')),
  );
}

describe('without a box', () => {
  const WITHOUT: readonly [string, string | undefined, string][] = [
    ['bwrap is not there', undefined, 'bubblewrap is not installed'],
    [
      'bwrap fails',
      '#!/bin/sh\n[ "$1" = --version ] && echo bubblewrap 9.9.9\nexit 1\n',
      'bubblewrap does not work here',
    ],
    ['bwrap does nothing', '#!/bin/sh\nexit 0\n', 'does not print its version'],
    [
      'bwrap holds nothing',
      '#!/bin/sh\n[ "$1" = --version ] && { echo bubblewrap 9.9.9; exit; }\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n',
      'bubblewrap does not work here',
    ],
  ];

  for (const [title, bwrap, why] of WITHOUT) {
    boxed(`${title}: the agent runs unboxed, and that is shown`, async () => {
      field = makeBoxField({ run: { confine: 'auto' } });
      field.unboxed();
      const ran = await field.runWith({ PATH: pathWith(bwrap) });
      expect([ran.status, ran.stderr]).toEqual([0, '']);
      expect(ran.stdout).toContain(`first: runs without a box: ${bwrap === undefined ? why : ''}`);
      expect(ran.stdout).toContain(why);
      expect((await attempt())?.box).toEqual({ level: 'none', why: expect.stringContaining(why) });
      expect((await field.command('history', 'a')).stdout).toContain('  box: none: ');
      expect(probesLeft()).toEqual([]);
    });

    boxed(`${title}: with required nothing is run, and the reason is named`, async () => {
      field = makeBoxField();
      const ran = await field.runWith({ PATH: pathWith(bwrap) });
      expect([ran.status, ran.stderr]).toEqual([3, expect.stringContaining(why)]);
      expect(ran.stderr).toContain('Agents must run in a box (run.confine: required)');
      expect(existsSync(join(field.project, 'done-a.txt'))).toBe(false);
      expect(field.git('branch', '--list', 'foreword/*')).toBe('');
      expect(probesLeft()).toEqual([]);
    });
  }
});

boxed('a project that holds the home is refused when a box is required, and unboxed else', async () => {
  field = makeBoxField();
  const home = join(field.project, 'home');
  mkdirSync(home);
  const refused = await field.runWith({ HOME: home });
  expect([refused.status, refused.stderr]).toEqual([3, expect.stringContaining('holds the home folder')]);
  field.unboxed();
  const ran = await field.runWith({ HOME: home, FOREWORD_RUN_CONFINE: 'auto' });
  expect([ran.status, ran.stdout]).toEqual([
    0,
    expect.stringContaining('every agent: runs without a box: the project'),
  ]);
});

describe('ends', () => {
  const MARK = `7531.${process.pid}`;
  /** Children in sessions of their own that ignore what they can. */
  const STUBBORN = `trap "" TERM INT HUP; (trap "" TERM; setsid sleep ${MARK}) & setsid sleep ${MARK} & echo begun`;

  boxed('a timeout ends all of it, and its log has what it printed', async () => {
    field = makeBoxField();
    field.setTask({ timeout_s: 1, retry_policy: { max_retries: 0 } });
    field.script(STUBBORN, `sleep ${MARK}`);
    await field.runWith({ FOREWORD_RUN_MAX_AGENT_FAILURES: '1' });
    const ended = await attempt();
    expect(ended).toMatchObject({ exitReason: 'timeout', box: { level: 'bubblewrap' } });
    expect(readFileSync(ended?.log ?? '', 'utf8')).toContain('begun');
    expect(await survivors(MARK)).toEqual([]);
  });

  boxed('one that leaves processes and ends leaves none', async () => {
    field = makeBoxField();
    field.script(`${STUBBORN} >/dev/null 2>&1`);
    expect((await field.run()).status).toBe(0);
    expect(await survivors(MARK)).toEqual([]);
  });

  boxed('one that kills everything it can ends alone', async () => {
    field = makeBoxField();
    field.script('if [ ! -e once ]; then touch once; kill -9 -1; kill -9 $$; fi');
    expect((await field.run()).status).toBe(0);
    expect((await field.attempts('a')).map(({ exitMessage }) => exitMessage)).toEqual(['ended by SIGKILL', undefined]);
  });

  boxed('Ctrl-C gives the agent its time to end, and nothing is left', async () => {
    field = makeBoxField();
    field.script(`trap 'echo bye; exit 0' TERM`, `setsid sleep ${MARK} & sleep ${MARK} & echo begun; wait`);
    const child = await begun();
    child.kill('SIGINT');
    expect(await ended(child)).toBe(130);
    expect(await survivors(MARK)).toEqual([]);
    const { log, exitReason } = (await attempt()) ?? {};
    expect([exitReason, readFileSync(log ?? '', 'utf8')]).toEqual([
      'interrupted',
      expect.stringMatching(/begun.*bye/s),
    ]);
  });

  boxed('after kill -9 no boxed process is left, and the next run and clean remove what was held', async () => {
    const box = { writable: ['~/.mine'], readOnly: ['~/.mine/settings.json', '~/.mine/hooks/'] };
    field = makeBoxField({ agent: { box } });
    const held = ['.mine/settings.json', '.mine/hooks'].map((path) => join(field.folder, path));
    for (const next of ['run', 'clean']) {
      field.script(STUBBORN, `sleep ${MARK}`);
      const child = await begun();
      expect(held.map((path) => existsSync(path))).toEqual([true, true]);
      child.kill('SIGKILL');
      await ended(child);
      expect(await survivors(MARK)).toEqual([]);
      expect(held.map((path) => existsSync(path))).toEqual([true, true]);
      field.script();
      const listed = next === 'clean' ? (await field.command('clean', '--dry-run')).stdout : held.join(' ');
      for (const path of held) expect(listed).toContain(path);
      expect((await (next === 'run' ? field.run() : field.command('clean'))).status).toBe(0);
      expect(held.map((path) => existsSync(path))).toEqual([false, false]);
      if (next === 'run') field.setTask({ task_id: 'b' });
    }
  });

  const ended = (child: ChildProcess) => new Promise((resolve) => child.once('exit', (code) => resolve(code)));

  /** A run whose agent is at work. */
  async function begun(): Promise<ChildProcess> {
    const env = { PATH: process.env.PATH, HOME: field.folder, FOREWORD_CHECKOUTS: field.folder };
    const child = spawn(process.execPath, [MAIN, ...field.args], { cwd: field.project, env, stdio: 'ignore' });
    await vi.waitFor(async () => expect((await survivorsNow()).length).toBeGreaterThanOrEqual(2), { timeout: 15_000 });
    return child;
  }

  async function survivorsNow(): Promise<readonly number[]> {
    return field.running(`sleep\0${MARK}`);
  }
});
