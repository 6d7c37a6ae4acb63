import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { platform } from '../system/platform.ts';
import { findAgents } from './programs.ts';

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'foreword-programs-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

const SOUGHT = [
  { agent: 'claude', name: 'claude' },
  { agent: 'pi', name: 'pi' },
];

function program(...path: string[]): string {
  const file = join(folder, ...path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '#!/bin/sh\n');
  chmodSync(file, 0o755);
  return file;
}

const find = (path: readonly string[], lab?: string) =>
  findAgents(SOUGHT, {
    path: path.join(':'),
    cwd: join(folder, 'project'),
    lab: lab === undefined ? undefined : join(folder, lab),
  });

test('nothing is found where nothing is', () => {
  mkdirSync(join(folder, 'bin'));
  expect(find([join(folder, 'bin')], 'lab')).toEqual([]);
  expect(find(['relative'])).toEqual([]);
});

test('a program on the PATH keeps the PATH it may need', () => {
  const claude = program('bin', 'claude');
  mkdirSync(join(folder, 'tools'));
  const path = [join(folder, 'tools'), join(folder, 'bin')];
  const [found = expect.fail(), ...others] = find(path);
  expect(others).toEqual([]);
  expect(found).toMatchObject({ agent: 'claude', program: claude });
  expect(found.path.slice(0, 3)).toEqual([dirname(claude), ...path]);
});

test('a lab has every version it holds, with a newer Node first where it holds one, and nothing half installed', () => {
  const [one, two] = ['1.0.0', '1.1.0'].map((version) => program('lab/pi', version, 'node_modules/.bin/pi'));
  program('lab/pi/.half-1.2.0-17/node_modules/.bin/pi');
  const node = dirname(program('lab/node24/24.0.0/node_modules', platform.nodePackage, 'bin/node'));
  const found = find([], 'lab');
  expect(found.map((each) => each.program)).toEqual([one, two]);
  expect(found[0]?.path.slice(0, 2)).toEqual([dirname(one ?? ''), node]);
});

test('one program to which several ways lead is found once', () => {
  const real = program('lab/claude/1.0.0/node_modules/.bin/claude');
  mkdirSync(join(folder, 'bin'));
  symlinkSync(real, join(folder, 'bin/claude'));
  expect(find([join(folder, 'bin')], 'lab').map((each) => each.program)).toEqual([join(folder, 'bin/claude')]);
});
