import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { programFolders, toolFolders } from './programs.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(realpathSync(tmpdir()), 'foreword-programs-'));
});
afterEach(() => rmSync(home, { recursive: true }));

function put(path: string, text = '#!/bin/sh\n'): string {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text, { mode: 0o755 });
  return join(home, path);
}
const link = (path: string, to: string) => {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  symlinkSync(to, join(home, path));
};
const guarded = () => ({ home, top: join(home, 'project'), others: [join(home, '.local/state/foreword')] });
const short = (paths: readonly string[]) =>
  [...new Set(paths)]
    .filter((path) => path.startsWith(home))
    .map((path) => path.slice(home.length + 1))
    .sort();

test('links of a folder of programs are followed within hidden folders, and not into projects', () => {
  put('.local/share/tool/bin/tool');
  put('.local/share/single');
  put('other-project/bin/cli');
  link('.local/bin/tool', '../share/tool/bin/tool');
  link('.local/bin/single', '../share/single');
  link('.local/bin/cli', '../../other-project/bin/cli');
  expect(short(toolFolders(join(home, '.local/bin'), guarded()))).toEqual([
    '.local/bin',
    '.local/share/single',
    '.local/share/tool',
  ]);
});

test('a program is shown with its package, and never with all of a folder that holds much else', () => {
  const script = put('.npm/lib/node_modules/pack/cli.js');
  expect(short(programFolders(script, guarded()))).toEqual(['.npm/lib/node_modules']);
  expect(short(programFolders(put('.local/share/alone'), guarded()))).toEqual(['.local/share/alone']);
  expect(short(programFolders(put('alone.sh'), guarded()))).toEqual(['alone.sh']);
});

test('the home, the project and our state are never shown as a whole', () => {
  put('project/bin/x');
  mkdirSync(join(home, '.local/state/foreword/bin'), { recursive: true });
  const path = [home, join(home, 'project/bin'), join(home, '.local/state/foreword/bin'), '/'].join(':');
  expect(short(toolFolders(path, guarded()))).toEqual([]);
});
