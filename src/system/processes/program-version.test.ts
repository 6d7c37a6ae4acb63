import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { versionOfProgram } from './program-version.ts';

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'foreword-version-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

test('is that of the package it belongs to, through links and past files without a version', () => {
  const folder = folderWith({
    'node_modules/mine/package.json': '{"name":"mine","version":"1.2.3"}',
    'node_modules/mine/dist/package.json': '{"type":"module"}',
    'node_modules/mine/dist/cli.js': '',
    'node_modules/.bin/.keep': '',
  });
  symlinkSync('../mine/dist/cli.js', join(folder, 'node_modules/.bin/mine'));
  expect(versionOfProgram(join(folder, 'node_modules/.bin/mine'))).toBe('1.2.3');
});

test('is in its path where versions are kept apart', () => {
  const folder = folderWith({ 'share/mine/versions/2.1.325': '', 'cellar/mine/v0.9.1/bin/mine': '' });
  expect(versionOfProgram(join(folder, 'share/mine/versions/2.1.325'))).toBe('2.1.325');
  expect(versionOfProgram(join(folder, 'cellar/mine/v0.9.1/bin/mine'))).toBe('0.9.1');
});

test('is not known of a program that is not there, or whose package cannot be read', () => {
  const folder = folderWith({ 'bin/mine': '', 'package.json': '{"name": broken' });
  expect(versionOfProgram(join(folder, 'bin/mine'))).toBeUndefined();
  expect(versionOfProgram(join(folder, 'bin/other'))).toBeUndefined();
});
