import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hookProgramBeside, isProgram, isThrowaway } from './hook-program.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-program-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a link to the command is followed, a link to its folder is not', () => {
  mkdirSync(join(folder, 'v2/command'), { recursive: true });
  writeFileSync(join(folder, 'v2/command/start.cjs'), '');
  symlinkSync('v2', join(folder, 'current'));
  mkdirSync(join(folder, 'bin'));
  symlinkSync('../current/command/start.cjs', join(folder, 'bin/foreword'));
  expect(hookProgramBeside(join(folder, 'bin/foreword'))).toBe(join(folder, 'current/hook/foreword-hook'));
});

test('links in a circle end', () => {
  symlinkSync('b', join(folder, 'a'));
  symlinkSync('a', join(folder, 'b'));
  expect(hookProgramBeside(join(folder, 'a'))).toMatch(/hook\/foreword-hook$/);
});

test('only a file that may be run is a program', () => {
  const file = join(folder, 'hook');
  expect(isProgram(file)).toBe(false);
  writeFileSync(file, '');
  expect(isProgram(file)).toBe(false);
  chmodSync(file, 0o755);
  expect(isProgram(file)).toBe(true);
  expect(isProgram(folder)).toBe(false);
});

test('the cache of npx is recognised', () => {
  expect(isThrowaway('/home/x/.npm/_npx/12ab/node_modules/foreword/dist/hook/foreword-hook')).toBe(true);
  expect(isThrowaway('/usr/lib/node_modules/foreword/dist/hook/foreword-hook')).toBe(false);
});
