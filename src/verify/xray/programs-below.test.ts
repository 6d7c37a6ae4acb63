import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SETUPS } from '../../agents/setups.ts';
import { dataFolders, programsBelow } from './programs-below.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'foreword-below-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function write(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), path.endsWith('.sh') ? '#!/bin/sh\n' : 'text\n');
  }
}

function mountedFor(
  lines: readonly string[],
  more: { readonly path?: string; readonly programs?: readonly string[] } = {},
) {
  const { path = '/usr/bin', programs = [] } = more;
  return [...programsBelow({ home, path, programs, lines, copied: ['.claude', '.claude.json'] })].sort();
}

test.each([
  ['.ssh/keys/id', '~/.ssh/keys/id'],
  ['.aws/sso/cache/a.json', 'cat $HOME/.aws/sso/cache/a.json'],
  ['.config/gh/hosts.yml', '~/.config/gh/hosts.yml'],
  ['.config/gh/run.sh', '~/.config/gh/run.sh'],
  ['.config/other/state.json', 'cat ~/.config/other/state.json'],
  ['.config/other/state.json', 'ls ~/.config ~/.config/ ~/.local/share ~/.cache'],
  ['.local/share/keyrings/login.keyring', 'cat ~/.local/share/keyrings/login.keyring'],
  ['.gradle/init.d/run.sh', '~/.gradle/init.d/run.sh'],
  ['.m2/settings.xml', 'cat ~/.m2/settings.xml'],
  ['.cargo/credentials.toml', 'cat ~/.cargo/credentials.toml'],
  ['dotfiles/.ssh/id', 'cat ~/dotfiles/.ssh/id'],
  ['.env', 'cat ~/.env'],
  ['letters/one.txt', 'find ~/ ~/. ~/letters/.. ~/..'],
])('%s is not there when a hook has the line %s', (path, line) => {
  write(path);
  expect(mountedFor([line])).toEqual([]);
});

test('a folder is private by where its links lead', () => {
  write('.ssh/keys/id', 'letters/one.txt');
  symlinkSync('.ssh', join(home, 'keys'));
  symlinkSync('.', join(home, 'all'));
  symlinkSync(dirname(home), join(home, 'above'));
  symlinkSync('.ssh', join(home, 'bin'));
  expect(mountedFor(['cat ~/keys/keys/id', 'ls ~/keys ~/all ~/above ~/all/letters/../.ssh'])).toEqual([]);
});

test('scripts below .config and .local are there with their parts', () => {
  write('.config/hooks/check.sh', '.config/hooks/parts/rules.txt', '.config/alone.sh', '.config/other/state.json');
  write('.local/share/notes/run/hook.py', '.local/opt/tool/bin/tool', '.cache/server/package.json');
  const lines = [
    '~/.config/hooks/check.sh',
    '~/.config/alone.sh',
    'python ~/.local/share/notes/run/hook.py',
    'node ~/.cache/server',
  ];
  expect(mountedFor(lines, { path: `${home}/.local/opt/tool/bin` })).toEqual(
    ['.cache/server', '.config/alone.sh', '.config/hooks', '.local/opt/tool', '.local/share/notes/run'].sort(),
  );
});

test('of managers of programs their programs are there, and not what they keep for registries', () => {
  write('.local/share/uv/tools/a/bin/a', '.local/share/uv/python/b', '.local/share/uv/credentials/c');
  write('.npm-global/bin/d', '.npm-global/etc/npmrc', '.cargo/bin/e', '.cargo/credentials.toml');
  expect(mountedFor([], { path: `${home}/.npm-global/bin:${home}/.cargo/bin` })).toEqual(
    ['.cargo/bin', '.local/share/uv/python', '.local/share/uv/tools', '.npm-global/bin'].sort(),
  );
});

test("the agent's own program is there where it installed itself", () => {
  write('.local/share/claude/versions/2.1', '.local/share/claude/other');
  const programs = [join(home, '.local/share/claude/versions/2.1')];
  expect(mountedFor([], { programs })).toEqual(['.local/share/claude/versions']);
});

test('a script in the folder of another agent is there without the folder, and without who is logged in', () => {
  write('.codex/hooks/check.sh', '.codex/notify.sh', '.codex/auth.json', '.codex/config.toml', '.codex/sessions/a.sh');
  const lines = ['hooks/check.sh', 'notify.sh', 'auth.json', 'config.toml', 'sessions/a.sh'].map(
    (one) => `~/.codex/${one}`,
  );
  expect(mountedFor([...lines, 'ls ~/.codex'])).toEqual(['.codex/hooks', '.codex/notify.sh']);
});

/** The folders of all agents, with the outermost ones of what is beside them. */
const FOLDERS = Object.values(SETUPS).flatMap(({ folder, beside = [] }) => [
  folder.path,
  ...beside.map((one) => one.split('/')[0] ?? ''),
]);

test.each([...new Set(FOLDERS)])('no line and no text brings %s of an agent to another one', (path) => {
  write(`${path}/auth.json`);
  const [first = ''] = path.split('/');
  expect(dataFolders(home, [], () => true)).toEqual([]);
  expect(mountedFor([`cat ~/${path}/auth.json`, `ls ~/${first} ~/${path}`])).toEqual([]);
});

test('folders of data that hold credentials are not there, whatever text names them; others are', () => {
  write(
    '.gradle/gradle.properties',
    '.m2/settings.xml',
    '.cargo/credentials',
    '.docker/config.json',
    '.memory/data.db',
  );
  write('.cursor/mcp.json');
  expect(dataFolders(home, ['.claude'], () => true)).toEqual(['.memory']);
});
