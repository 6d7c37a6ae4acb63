import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inOwnSystem } from '../../system/network-namespace.ts';
import { mountScript } from './mount-script.ts';

let folder: string;
let server: Server;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-mounts-'));
  server = createServer();
  await new Promise<void>((resolve) => server.listen(join(folder, 'door.sock'), resolve));
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

/** What a session inside finds, as JSON: a program that looks at everything that should be closed to it. */
const LOOK = `
const { readFileSync, readdirSync, writeFileSync } = require('node:fs');
const attempt = (deed) => { try { return deed(); } catch (error) { return error.code; } };
const found = {
  home: readdirSync(process.env.HOME).sort(),
  tool: readdirSync(process.env.HOME + '/tool').sort(),
  env: readFileSync(process.env.HOME + '/tool/.env', 'utf8'),
  ssh: readdirSync(process.env.HOME + '/tool/.ssh'),
  writes: ['/tool/.env', '/tool/new', '/tool/.ssh/new'].map((path) => attempt(() => writeFileSync(process.env.HOME + path, 'x')) ?? 'written'),
  runtime: attempt(() => readdirSync('/run/user')),
};
const said = (door) => console.log(JSON.stringify({ ...found, door }));
const socket = require('node:net').connect(process.argv[1]).on('connect', () => { said('open'); socket.destroy(); }).on('error', ({ code }) => said(code));
`;

const LEVELS = [false, ...(process.getuid?.() === 0 ? [true] : [])].filter((isRoot) => inOwnSystem(isRoot).isAvailable);

function lookInside(isRoot: boolean, sockets: readonly string[]) {
  const at = (name: string) => join(folder, name);
  for (const name of ['home/project', 'scratch/tool', 'files', 'memory']) mkdirSync(at(name), { recursive: true });
  for (const path of ['.secret', 'tool/.env', 'tool/.ssh/id', 'tool/check.sh']) {
    mkdirSync(dirname(at(`home/${path}`)), { recursive: true });
    writeFileSync(at(`home/${path}`), 'KEY=value\n');
  }
  const script = mountScript({
    home: at('home'),
    scratchHome: at('scratch'),
    mounted: ['tool'],
    covered: ['tool/.env', 'tool/.ssh'],
    sockets,
    project: at('home/project'),
    projectFiles: at('files'),
    hidden: [],
    memory: at('memory'),
    cwd: at('home/project'),
    command: [process.execPath, '-e', LOOK, at('door.sock')],
    env: { HOME: at('home') },
  });
  writeFileSync(at('mount.sh'), script);
  const namespace = inOwnSystem(isRoot);
  if (!namespace.isAvailable) throw new Error(namespace.reason);
  const [program, ...args] = namespace.wrap(['/bin/sh', at('mount.sh')]);
  const ran = spawnSync(program, args, { encoding: 'utf8' });
  expect(ran.status, ran.stderr).toBe(0);
  return JSON.parse(ran.stdout);
}

test.each(LEVELS)(
  'keys in a mounted folder are empty, and sockets of programs outside closed (as root: %s)',
  (isRoot) => {
    const found = lookInside(isRoot, [join(folder, 'door.sock'), join(folder, 'gone.sock')]);
    expect(found).toMatchObject({ home: ['project', 'tool'], tool: ['.env', '.ssh', 'check.sh'], env: '', ssh: [] });
    expect(found.writes).toEqual(['EROFS', 'EROFS', 'EROFS']);
    expect(found.door).toBe('ECONNREFUSED');
    expect(found.runtime).toEqual(existsSync('/run/user') ? [] : 'ENOENT');
    expect(readFileSync(join(folder, 'home/tool/.env'), 'utf8')).toBe('KEY=value\n');
  },
);

test.each(LEVELS)(
  'a socket that nobody named is open, so the test above shows what closes it (as root: %s)',
  (isRoot) => {
    expect(lookInside(isRoot, []).door).toBe('open');
  },
);
