// A project with records of every kind in its store, and the built dashboard on it, started as a person starts it.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { ForewordEvent, NewEvent } from '../../src/kernel/events.ts';
import type { Stores } from '../../src/kernel/stores.ts';
import { attempt, delivery, receipt, record, session } from '../../src/stores/contract/samples.ts';
import { openSqliteStores } from '../../src/stores/sqlite/open.ts';
import { exportLines } from '../../src/stores/transfer.ts';
import { ownerName } from '../../src/system/processes/owner.ts';
import { keepResults } from '../../src/verify/results.ts';
import { temporaryFolder } from '../bundle.ts';
import { foreword, ownStore, type Ran } from '../foreword.ts';

const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');

/** Text as somebody hostile would write it: markup, control and invisible characters, a direction turned around. */
export const HOSTILE = '<img src=x onerror="window.hit=1"></script><script>window.hit=2</script>\u202egnp\u0007\u200b';

export interface Board {
  /** The project lies in it, and it is the person's home. */
  readonly folder: string;
  readonly project: string;
  readonly port: number;
  readonly token: string;
  readonly url: string;
  /** The store's file. */
  readonly file: string;
  /** To write to, as another process of foreword would. */
  readonly stores: Stores;
  command(...args: readonly string[]): Promise<Ran>;
  tell(event: NewEvent): Promise<void>;
  /** Ctrl-C; answers the exit status. */
  stop(): Promise<number | null>;
  /** Stops it and takes everything away. */
  remove(): Promise<void>;
}

export function openBoard(...flags: readonly string[]): Promise<Board> {
  return openBoardWith(fill, flags);
}

/** A store without a record. */
export function openEmptyBoard(): Promise<Board> {
  return openBoardWith(async () => undefined, []);
}

async function openBoardWith(fillStore: typeof fill, flags: readonly string[]): Promise<Board> {
  const folder = temporaryFolder('dashboard');
  const project = join(folder, 'shop');
  mkdirSync(join(project, '.foreword'), { recursive: true });
  const file = ownStore(project, folder);
  const stores = await openSqliteStores(file);
  await fillStore(stores, folder);
  const env = { PATH: process.env.PATH ?? '', HOME: folder, FAKE_API_KEY: 'sesame-0123456789' };
  const child = spawn(process.execPath, [MAIN, 'dashboard', '--json', ...flags], { cwd: project, env });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const { url } = JSON.parse(await firstLine(child.stdout, child.stderr)) as { url: string };
  const { port, searchParams } = new URL(url);
  const stop = (): Promise<number | null> => {
    child.kill('SIGINT');
    return ended;
  };
  let events = 0;
  return {
    folder,
    project,
    port: Number(port),
    token: searchParams.get('token') ?? '',
    url,
    file,
    stores,
    command: (...args) => foreword(args, { cwd: project, env: { HOME: folder } }),
    tell: async (event) => {
      events += 1;
      await stores.journal.append({
        id: `evt_told_${events}`,
        at: new Date().toISOString(),
        ...event,
      } as ForewordEvent);
    },
    stop,
    remove: async () => {
      await stop();
      await stores.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** One line, or what was said instead of it. */
function firstLine(stdout: NodeJS.ReadableStream, stderr: NodeJS.ReadableStream): Promise<string> {
  let said = '';
  stderr.on('data', (part) => {
    said += part;
  });
  return new Promise((resolve, reject) => {
    let text = '';
    stdout.on('data', (part) => {
      text += part;
      if (text.includes('\n')) resolve(text.split('\n')[0] ?? '');
    });
    stdout.on('end', () => reject(new Error(`the dashboard ended: ${text}${said}`)));
  });
}

async function fill(stores: Stores, home: string): Promise<void> {
  const now = new Date().toISOString();
  const running = { ...session('s1a2b3c4d'), agent: 'claude', owner: ownerName(), pid: process.pid, startedAt: now };
  await stores.sessions.put('s1a2b3c4d', { ...running, readiness: 'asking', evidence: HOSTILE, terminal: 'pty' }, 0);
  const waiting = {
    ...delivery('fw_waits', 's1a2b3c4d'),
    waiting: 'dialog: trust folder',
    text: `secret plan ${HOSTILE}`,
  };
  await stores.deliveries.put('fw_waits', waiting, 0);
  await stores.receipts.append({ ...receipt('rcp_1'), session: 's1a2b3c4d', at: now });
  await stores.receipts.append({
    ...receipt('rcp_2'),
    delivery: 'fw_2',
    session: 's1a2b3c4d',
    moment: 'prompt',
    outcome: 'failed',
    proof: 'queued',
    reason: `${HOSTILE} sesame-0123456789`,
    at: now,
  });
  await stores.tasks.add({
    ...record('api_health', 'needs-review'),
    intent: HOSTILE,
    reason: 'nobody could decide it',
  });
  await stores.attempts.append('api_health', { ...attempt(1, 'swift'), exitClass: 'rate_limit' });
  await stores.attempts.append('api_health', attempt(2, 'steady'));
  const breaker = { agent: 'swift', state: 'open', reason: 'rate_limit', openedAt: now } as const;
  await stores.breakers.put('swift', { ...breaker, until: new Date(Date.now() + 3_600_000).toISOString() }, 0);
  const composed = { kind: 'prompt-composed', task: 'api_health', attempt: 2 } as const;
  const handover = `swift failed before\n${HOSTILE}`;
  await stores.journal.append({ id: 'evt_1', at: now, ...composed, original: 'Add a health route.', handover });
  keepResults(join(home, '.local/state/foreword'), {
    measurements: [
      {
        agent: 'codex',
        version: '0.166.0',
        at: now,
        arrivals: { 'start-hook': { kind: 'served', ms: 1234 }, file: { kind: 'dropped', reason: HOSTILE } },
      },
    ],
  });
}

export interface Answer {
  readonly status: number;
  /** In lower case. */
  readonly head: string;
  readonly body: string;
}

/** Sends these bytes and reads until the other side closes, or for as long as something comes. */
export function raw(port: number, text: string, quietMs = 2000): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let all = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'));
    const end = (): void => {
      socket.destroy();
      const at = all.indexOf('\r\n\r\n');
      const head = (at === -1 ? all : all.slice(0, at)).toLowerCase();
      resolve({
        status: Number(/^http\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
        head,
        body: at === -1 ? '' : all.slice(at + 4),
      });
    };
    socket.setEncoding('utf8');
    socket.setTimeout(quietMs, end);
    socket.on('data', (part) => {
      all += part;
    });
    socket.on('close', end);
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? end() : reject(error)));
  });
}

/** Everything in the store, and the files of the project and the state folder; SQLite's own scratch files aside. */
export async function everything({ stores, folder }: Board): Promise<string> {
  const lines: string[] = [];
  for await (const line of exportLines(stores)) lines.push(line);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/-(wal|shm)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => `${file} ${createHash('sha256').update(readFileSync(file)).digest('hex')}`);
  return [...lines, ...files].join('\n');
}
