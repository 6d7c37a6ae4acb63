import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chooseTargets, type InstallHost, openMachine } from './machine.ts';
import type { Target } from './target.ts';

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'foreword-machine-')));
  mkdirSync(join(folder, 'shop/.git'), { recursive: true });
  writeFileSync(join(folder, 'shop/.git/HEAD'), 'ref: refs/heads/main\n');
  mkdirSync(join(folder, 'shop/src'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const target = (agent: string): Target => ({
  agent,
  title: agent,
  programs: [agent],
  folders: ({ home }) => [join(home, `.${agent}`)],
  sites: () => [],
  way: () => ({ kind: 'cannot', why: 'a test' }),
  notes: () => [],
});

function host(env: Readonly<Record<string, string>> = {}): InstallHost {
  const node = { path: '/usr/bin/node', version: 'v20' };
  const targets = ['claude', 'codex', 'gemini'].map(target);
  return { env, homedir: folder, targets, commandFile: '/x/start.cjs', node, candidates: [], usualLineup: [] };
}

const choose = (names: readonly string[] | undefined, env = {}) =>
  chooseTargets(openMachine(host(env), join(folder, 'shop')), names).map(({ agent }) => agent);

test('the project is found from the working folder, and the home from the system when HOME is not set', () => {
  const machine = openMachine(host(), join(folder, 'shop/src'));
  expect(machine.places).toEqual({ home: folder, root: join(folder, 'shop'), env: {} });
  expect(machine.stateFolder).toBe(join(folder, '.local/state/foreword'));
  expect(machine.recordFolder).toBe(join(folder, '.local/state/foreword/installed'));
  expect(openMachine(host({ HOME: '/other' }), join(folder, 'shop')).places.home).toBe('/other');
});

test('a folder that is not there is refused', () => {
  expect(() => openMachine(host(), join(folder, 'nowhere'))).toThrow(`There is no folder ${join(folder, 'nowhere')}.`);
});

test('an agent is found by its program or by its folder', () => {
  expect(choose(undefined)).toEqual([]);
  mkdirSync(join(folder, '.gemini'));
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/claude'), '#!/bin/sh\n');
  chmodSync(join(folder, 'bin/claude'), 0o755);
  expect(choose(undefined, { PATH: join(folder, 'bin') })).toEqual(['claude', 'gemini']);
});

test('a named agent is taken whether it is found or not; an unknown name is refused with the nearest', () => {
  expect(choose(['codex'])).toEqual(['codex']);
  expect(() => choose(['cluade'])).toThrow(
    expect.objectContaining({ code: 'bad-usage', hint: 'Did you mean claude?' }),
  );
  expect(() => choose(['zzzzzzzz'])).toThrow(expect.objectContaining({ hint: 'Use one of claude, codex, gemini.' }));
});
