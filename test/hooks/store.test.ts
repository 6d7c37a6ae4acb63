// Hooks beside a store that they cannot have: locked by another process, damaged, of another version, or a server that does
// not reply. What the files give is printed in time, the log names what is missing, and the store is left as it is.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { foreword } from '../foreword.ts';
import { type Built, type Ran, run } from './built.ts';
import { answered, whyBusy } from './busy.ts';
import { contextOf, type Field } from './field.ts';
import { onStage } from './stage.ts';

let built: Built;
let field: Field;
let env: Record<string, string>;
let holder: ChildProcess | undefined;
onStage('store', (stage) => {
  ({ built, field, env } = stage);
});
beforeEach(() => {
  mkdirSync(join(field.root, '.foreword'));
  writeFileSync(join(field.root, '.foreword/tasks.yaml'), '- { id: fact-001, summary: Build src/factorial.py }\n');
});
afterEach(async () => {
  const ended = new Promise((resolve) => holder?.once('close', resolve));
  if (holder?.kill('SIGKILL') === true) await ended;
  holder = undefined;
});

const hook = (event: string, more: object = {}): Promise<Ran> =>
  answered(field, () =>
    run([built.script], {
      cwd: field.root,
      env,
      args: [event, 'claude'],
      input: [JSON.stringify({ session_id: 'ses-1', cwd: field.root, source: 'startup', ...more, tool_input: {} })],
    }),
  );

const store = () => field.files().store;

/** By another process: this one would not let go of the file. */
const command = async (...args: readonly string[]) => (await foreword(args, { cwd: field.root, env })).stdout;

/** Another process that has the file for itself; resolves when it has. */
async function lock(file: string): Promise<void> {
  const program = `
    const Database = require(${JSON.stringify(join(import.meta.dirname, '../../node_modules/libsql'))});
    const database = new Database(process.argv[1], { timeout: 5000 });
    database.exec('PRAGMA locking_mode=EXCLUSIVE; CREATE TABLE IF NOT EXISTS held (x); INSERT INTO held VALUES (1)');
    process.stdout.write('locked');
    setInterval(() => database.exec('UPDATE held SET x = x + 1'), 1000);`;
  const child = spawn(process.execPath, ['-e', program, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  holder = child;
  await new Promise((resolve, reject) => {
    child.stdout?.once('data', resolve);
    child.once('close', () => reject(new Error('the lock could not be had')));
  });
}

function expectInTime(ran: Ran): void {
  if (ran.ms >= 1500) whyBusy();
}

test('a store that another process holds locked keeps nobody waiting, and what the files hold is printed', async () => {
  await command('save', '--next', 'write the route');
  await lock(store());
  const started = await hook('session-start');
  const said = contextOf(started.stdout);
  expect(said).toContain('pick fact-001: Build src/factorial.py');
  expect(said).toContain(`Could not be read: the store (The store ${store()} is locked by another process)`);
  expectInTime(started);
  expect(field.log()).toMatch(/session-start claude: the store could not be read: .* is locked by another process\n/);
  const tool = await hook('pre-tool');
  expect(contextOf(tool.stdout)).toContain('Never push to main.');
  const prompt = await hook('prompt', { prompt: 'go on' });
  expect(prompt.stdout).toBe('');
  expectInTime(prompt);
  expect(field.log()).toMatch(/prompt claude: the store could not be read: .* is locked by another process\n/);
});

test('an index of the code that is locked is left out of it', async () => {
  const git = (...args: string[]) => spawnSync('git', ['-C', field.root, ...args], { encoding: 'utf8' });
  git('init', '-q');
  writeFileSync(join(field.root, 'factorial.py'), 'def factorial(n): return 1\n');
  git('add', '.');
  expect(await command('search', 'factorial')).toContain('factorial.py');
  const found = contextOf((await hook('session-start')).stdout);
  expect(found).toContain('factorial.py:1');
  await lock(field.files().index);
  const started = await hook('session-start', { session_id: 'ses-2' });
  const said = contextOf(started.stdout);
  expect(said).toContain('pick fact-001');
  expect(said).toContain('Could not be read: code search');
  expectInTime(started);
});

test('a store that is damaged or of another version is named, and not touched', async () => {
  const bytes = () => createHash('sha256').update(readFileSync(store())).digest('hex');
  const { default: Database } = await import('libsql');
  const cases: readonly [() => void, RegExp][] = [
    [() => writeFileSync(store(), 'no database'), /the store \(The store \S+\/foreword\.db is damaged/],
    [() => newer(Database), /the store \(The store \S+\/foreword\.db has another version\)/],
  ];
  for (const [index, [spoil, text]] of cases.entries()) {
    spoil();
    const before = bytes();
    const said = contextOf((await hook('session-start', { session_id: `ses-${index}` })).stdout);
    expect(said).toMatch(text);
    expect(said).toContain('pick fact-001');
    expect(bytes()).toBe(before);
    expect(readdirSync(dirname(store())).filter((name) => /aside|newer|corrupt|damaged/.test(name))).toEqual([]);
  }
});

function newer(Database: typeof import('libsql')): void {
  writeFileSync(store(), '');
  const database = new Database(store());
  database.exec('CREATE TABLE journal (x); PRAGMA user_version=99');
  database.close();
}

test('a relative FOREWORD_STORE is the same file for a command in a subfolder, for a hook and for a reader', async () => {
  env.FOREWORD_STORE = 'own/memory.db';
  mkdirSync(join(field.root, 'own'));
  mkdirSync(join(field.root, 'src'));
  const saved = await foreword(['save', '--next', 'write the route'], { cwd: join(field.root, 'src'), env });
  expect(saved).toMatchObject({ status: 0 });
  expect(existsSync(join(field.root, 'own/memory.db'))).toBe(true);
  expect(contextOf((await hook('session-start')).stdout)).toContain('write the route');
  expect(await command('load')).toContain('write the route');
});

test('a relative --store is a file below the folder the person is in', async () => {
  mkdirSync(join(field.root, 'src'));
  await foreword(['save', '--next', 'x', '--store', 'flag.db'], { cwd: join(field.root, 'src'), env });
  expect(existsSync(join(field.root, 'src/flag.db'))).toBe(true);
});

test('a server that takes the connection and never replies costs half a second', async () => {
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  env.FOREWORD_STORE = `redis://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  try {
    const started = await hook('session-start');
    const said = contextOf(started.stdout);
    expect(said).toContain('pick fact-001');
    expect(said).toContain('Could not be read: the store (no answer within 500 ms)');
    expectInTime(started);
  } finally {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
});
