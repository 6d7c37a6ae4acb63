// A real Redis server for a test: on a free loopback port, in a folder of its own, ended by its process id.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '../bundle.ts';

export const HAS_REDIS = spawnSync('redis-server', ['--version']).status === 0;

export const DURABLE = ['--appendonly', 'yes', '--appendfsync', 'always'];

export class RedisServer {
  readonly port: number;
  readonly #folder = temporaryFolder('redis');
  readonly #settings: readonly string[];
  #process: ChildProcess | undefined;

  private constructor(port: number, settings: readonly string[]) {
    this.port = port;
    this.#settings = settings;
  }

  static async start(settings: readonly string[] = DURABLE): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), settings);
    try {
      await server.start();
      return server;
    } catch (error) {
      await server.end();
      throw error;
    }
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}/0`;
  }

  /** Again after `kill`, on the same port and files. */
  async start(): Promise<void> {
    const base = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.#folder, '--save', ''];
    this.#process = spawn('redis-server', [...base, '--daemonize', 'no', ...this.#settings], { stdio: 'ignore' });
    const deadline = Date.now() + 20_000;
    while (!(await answers(this.port))) {
      if (Date.now() > deadline) throw new Error('redis-server did not start');
      await sleep(20);
    }
  }

  async signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const process = this.#process;
    if (process === undefined) return;
    process.kill(signal);
    if (signal !== 'SIGKILL') return;
    if (process.exitCode === null && process.signalCode === null) await once(process, 'exit');
    this.#process = undefined;
  }

  async end(): Promise<void> {
    await this.signal('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Also when it wants a password; not while it is still loading. */
async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    socket.write('PING\r\n');
    const [reply] = (await once(socket, 'data')) as [Buffer];
    return /^(\+PONG|-NOAUTH)/.test(reply.toString());
  } catch {
    // Refused: not there yet.
    return false;
  } finally {
    socket.destroy();
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
