// Whole commands on a Redis server: which servers are used, and whose records a project sees there.

import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { foreword, shop } from '../foreword.ts';
import { DURABLE, HAS_REDIS, RedisServer } from '../stores/redis-server.ts';

let root: string;
beforeEach(() => {
  root = shop();
});
afterEach(() => rmSync(dirname(root), { recursive: true, force: true }));

const run = (...args: string[]) => foreword(args, { cwd: root });

describe.skipIf(!HAS_REDIS)('on a durable Redis server', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start(DURABLE);
  });
  afterAll(() => server.end());

  test('a repository that calls itself by the name of another project neither reads nor writes its records', async () => {
    expect(await run('save', 'the note of the shop', '--store', server.url)).toMatchObject({ status: 0 });
    const other = join(dirname(root), 'other');
    mkdirSync(join(other, '.foreword'), { recursive: true });
    writeFileSync(join(other, '.foreword/config.yaml'), 'project: shop\n');
    const inOther = (...args: string[]) => foreword(args, { cwd: other, env: { HOME: root } });
    expect((await inOther('load', '--store', server.url)).stdout).not.toContain('the note of the shop');
    expect((await inOther('save', 'a note of the other', '--store', server.url)).status).toBe(0);
    const { stdout } = await run('load', '--store', server.url);
    expect(stdout).toContain('the note of the shop');
    expect(stdout).not.toContain('a note of the other');
  });

  test('a clone on another machine joins by the id that doctor prints, and another project cannot', async () => {
    await run('save', 'the note of the shop', '--store', server.url);
    const doctor = await run('doctor', '--json', '--store', server.url);
    const fleet = /fleet (f[0-9a-f]{16})/.exec(doctor.stdout)?.[1] ?? 'none';
    const clone = join(dirname(root), 'clone');
    cpSync(root, clone, { recursive: true, filter: (from) => !from.includes('.local') });
    const inClone = (...args: string[]) => foreword(args, { cwd: clone });
    expect((await inClone('load', '--store', server.url)).stdout).not.toContain('the note of the shop');
    expect((await inClone('load', '--store', server.url, '--fleet', fleet)).stdout).toContain('the note of the shop');
    expect((await inClone('save', 'from the clone', '--store', server.url, '--fleet', fleet)).status).toBe(0);
    expect((await run('load', '--store', server.url)).stdout).toContain('from the clone');
    const stranger = shop();
    try {
      rmSync(join(stranger, '.git'), { recursive: true });
      const { execFileSync } = await import('node:child_process');
      const git = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: stranger, stdio: 'ignore' });
      git('init', '-q');
      git('commit', '-q', '--allow-empty', '-m', 'a stranger');
      const refused = await foreword(['load', '--store', server.url, '--fleet', fleet], { cwd: stranger });
      expect(refused).toMatchObject({ status: 2, stdout: '' });
      expect(refused.stderr).toContain('belongs to another project');
    } finally {
      rmSync(dirname(stranger), { recursive: true, force: true });
    }
  });
});

describe.skipIf(!HAS_REDIS)('on a Redis server without an append-only file', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start(['--appendonly', 'no']);
  });
  afterAll(() => server.end());

  test('writing commands exit with 3 and name --allow-volatile, reading ones go on with a note', async () => {
    for (const args of [
      ['run', '.foreword/tasks.yaml'],
      ['save', 'x'],
    ]) {
      const { status, stderr } = await run(...args, '--store', server.url);
      expect([status, stderr]).toEqual([3, expect.stringContaining('--allow-volatile')]);
    }
    const reading = await run('status', '--store', server.url);
    expect([reading.status, reading.stderr]).toEqual([0, expect.stringContaining('may lose what is written')]);
    expect(await run('save', 'x', '--store', server.url, '--allow-volatile')).toMatchObject({ status: 0 });
    const env = { FOREWORD_STORE: server.url, FOREWORD_ALLOW_VOLATILE: '1' };
    expect(await foreword(['save', 'x'], { cwd: root, env })).toMatchObject({ status: 0 });
  });

  test('a repository cannot allow it', async () => {
    writeFileSync(join(root, '.foreword/config.yaml'), 'allowVolatile: true\nfleet: f0000000000000000\n');
    const { status, stderr } = await run('save', 'x', '--store', server.url);
    expect(status).toBe(2);
    expect(stderr).toContain('cannot set allowVolatile; use --allow-volatile or FOREWORD_ALLOW_VOLATILE');
    expect(stderr).toContain('cannot set fleet; use --fleet or FOREWORD_FLEET');
  });
});

test('a Redis server on another machine is refused before a connection, without TLS and a password', async () => {
  for (const store of ['redis://:word@192.0.2.1', 'rediss://192.0.2.1', 'redis://db.invalid']) {
    const { status, stderr } = await run('status', '--store', store);
    expect([status, stderr]).toEqual([2, expect.stringContaining('--allow-plain-redis')]);
  }
});
