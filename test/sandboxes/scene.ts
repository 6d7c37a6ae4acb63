// A work tree in a home folder with secrets around it, and everything a command could reach for from there. Whatever
// leaves a sandbox shows here: a changed byte, a connection, a process, a file.

import { execFileSync } from 'node:child_process';
import { createHash, randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export const CONTROL_FILES = [
  ...['.git/config', '.git/hooks/pre-commit', '.claude/settings.json', '.codex/config.toml', '.gemini/settings.json'],
  ...[
    '.cursor/rules/a.mdc',
    '.mcp.json',
    '.envrc',
    '.vscode/tasks.json',
    'CLAUDE.md',
    'AGENTS.md',
    '.foreword/config.json',
  ],
];

export interface Scene {
  readonly base: string;
  readonly tree: string;
  readonly secret: string;
  /** In the command line of every process that is meant to survive. */
  readonly mark: string;
  readonly ports: { readonly tcp: number; readonly tcp6: number; readonly udp: number };
  readonly abstractName: string;
  readonly connections: () => number;
  readonly close: () => void;
}

/** In the work tree's `bin`: foreword must not run them. */
export const SHADOWS = ['bwrap', 'unshare', 'nsenter', 'perl', 'sh', 'mount'];

export async function openScene(secret = `TOP-SECRET-${randomInt(1e9)}`): Promise<Scene> {
  const base = mkdtempSync(join(tmpdir(), 'foreword-scene-'));
  const tree = join(base, 'home/code/tree');
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text);
  };
  put('home/.ssh/id_rsa', secret);
  put('home/.bashrc', secret);
  put('home/code/sibling', secret);
  put('home/code/tree/src/a.txt', 'a');
  put('home/code/tree/.foreword/store.db', secret);
  for (const file of CONTROL_FILES.filter((_, index) => index % 2 === 0)) put(`home/code/tree/${file}`, 'original');
  put('home/code/tree/.git/config', `[remote "origin"]\n url = https://${secret}@example.com`);
  for (const name of SHADOWS) {
    put(`home/code/tree/bin/${name}`, `#!/bin/sh\necho ran >> ${base}/shadow-ran\nexit 0\n`);
    chmodSync(join(tree, 'bin', name), 0o755);
  }
  linkSync(join(tree, 'src/a.txt'), join(tree, 'hard'));
  symlinkSync('../../.ssh/id_rsa', join(tree, 'to-secret'));
  symlinkSync(join(base, 'home/.ssh'), join(tree, 'to-folder'));
  symlinkSync('src/a.txt', join(tree, 'to-file'));

  let connections = 0;
  const listen = (...where: [number, string] | [string]): Promise<Server> =>
    new Promise((resolve, reject) => {
      const server = createServer((socket) => {
        connections += 1;
        socket.destroy();
      });
      server.once('error', reject);
      server.listen(...(where as [number, string]), () => resolve(server));
    });
  const abstractName = `foreword-${randomInt(1e9)}`;
  const servers = [
    await listen(0, '127.0.0.1'),
    await listen(0, '::1').catch(() => undefined),
    await listen(`\0${abstractName}`).catch(() => undefined),
    await listen(join(base, 'home/socket')),
    await listen(join(tree, 'socket')),
    await listen(join(base, 'tmux')),
  ];
  const udp = createSocket('udp4').on('message', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
  const portOf = (server: Server | undefined): number => {
    const address = server?.address();
    return typeof address === 'object' && address !== null ? address.port : 9;
  };
  return {
    base,
    tree,
    secret,
    mark: `8639.${randomInt(1e8, 1e9)}`,
    ports: { tcp: portOf(servers[0]), tcp6: portOf(servers[1]), udp: udp.address().port },
    abstractName,
    connections: () => connections,
    close: () => {
      for (const server of servers) server?.close();
      udp.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

/** Names, kinds, modes and bytes of everything below. */
export function fingerprintOf(folder: string): string {
  const hash = createHash('sha256');
  const visit = (path: string): void => {
    const stats = lstatSync(path);
    hash.update(`${path.slice(folder.length)} ${stats.mode} ${stats.isDirectory() ? '' : stats.size}\n`);
    if (stats.isSymbolicLink()) hash.update(readlinkSync(path));
    else if (stats.isFile()) hash.update(readFileSync(path));
    else if (stats.isDirectory()) for (const name of readdirSync(path).sort()) visit(join(path, name));
  };
  visit(folder);
  return hash.digest('hex');
}

/** Command lines of living processes that hold the mark, looked for until none is left or two seconds are over. */
export async function survivors(mark: string): Promise<readonly string[]> {
  for (let until = performance.now() + 2_000; ; ) {
    const found = readdirSync('/proc').flatMap((pid) => {
      const file = `/proc/${pid}/cmdline`;
      try {
        const line = /^\d+$/.test(pid) && existsSync(file) ? readFileSync(file, 'utf8') : '';
        return line.includes(mark) ? [line] : [];
      } catch {
        // Ended while we looked.
        return [];
      }
    });
    if (found.length === 0 || performance.now() > until) return found;
    execFileSync('sleep', ['0.02']);
  }
}

export function copiesLeft(): readonly string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('foreword-sandbox-'));
}
