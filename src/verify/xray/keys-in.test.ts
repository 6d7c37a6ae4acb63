import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keysIn } from './keys-in.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'foreword-keys-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function write(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), 'text\n');
  }
}

test('files of keys in a mounted folder are found by their names, and private folders in it', () => {
  const keys = [
    '.env',
    '.env.local',
    'auth.json',
    'sub/credentials',
    'sub/client_secret.json',
    'sub/api-key.txt',
    'a.pem',
    'id_rsa',
  ];
  write(...[...keys, '.ssh/id', '.git/config'].map((name) => `tools/${name}`));
  write(...['check.sh', 'token.py', 'auth/index.js', 'tokens.md', 'config.json'].map((name) => `tools/${name}`));
  const found = ['.ssh', '.git/config', ...keys].map((name) => `tools/${name}`);
  expect([...keysIn(home, ['tools'])].sort()).toEqual(found.sort());
});

test('what managers of programs install is left as it is, but for settings of npm with keys for registries', () => {
  write('.nvm/versions/node/v22/etc/npmrc', '.nvm/versions/node/v22/lib/test.pem', 'other/node_modules/a/b.pem');
  expect(keysIn(home, ['.nvm', 'other', 'other/node_modules'])).toEqual(['.nvm/versions/node/v22/etc/npmrc']);
});

test('a link is left as it is', () => {
  write('elsewhere/prod');
  mkdirSync(join(home, 'tools'));
  symlinkSync('../elsewhere/prod', join(home, 'tools/.env'));
  symlinkSync('.', join(home, 'tools/circle'));
  expect(keysIn(home, ['tools'])).toEqual([]);
});
