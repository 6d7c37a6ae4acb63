// The connection to a Redis-protocol server. It never waits for a server that is gone: a call fails within seconds with
// `store-unreachable`, and the next call connects again by itself. Nothing is queued or sent twice. When a write was cut
// off, the caller reads the record again to find out whether it was stored.

import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import { type ErrorCode, ForewordError, isForewordError } from '../../kernel/errors.ts';
import type { Address } from './address.ts';
import type { Script } from './scripts.ts';

const CONNECT_TIMEOUT_MS = 3_000;
/** A server that is frozen or swapping replies late; one that takes longer than this is treated as gone. */
const COMMAND_TIMEOUT_MS = 4_000;

export class RedisLink {
  readonly shown: string;
  readonly #address: Address;
  readonly #prefix: string;
  #client: Redis | undefined;
  #connecting: Promise<Redis> | undefined;
  #isClosed = false;

  constructor(address: Address, prefix: string) {
    this.#address = address;
    this.shown = address.shown;
    this.#prefix = prefix;
  }

  /** Everything under one hash tag, so that a cluster keeps it in one slot and scripts may touch all of it. */
  key(...parts: readonly string[]): string {
    return `{${this.#prefix}}:${parts.join(':')}`;
  }

  async call<T>(work: (client: Redis) => Promise<T>): Promise<T> {
    for (let isFirst = true; ; isFirst = false) {
      if (this.#isClosed) throw new ForewordError('store-unreachable', `The store ${this.shown} was closed.`);
      let client: Redis | undefined;
      try {
        client = await this.#connected();
        return await work(client);
      } catch (error) {
        // A late reply must not be taken for the reply to the next command.
        if (isTimeout(error) || isUnsent(error)) this.#drop(client);
        if (!isFirst || !isUnsent(error)) throw this.#explain(error);
      }
    }
  }

  /** Sent by hash first: a server that knows the script need not get it again. */
  script(script: Script, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown> {
    return this.call(async (client) => {
      try {
        return await client.evalsha(sha1(script.lua), keys.length, ...keys, ...values);
      } catch (error) {
        if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
        return client.eval(script.lua, keys.length, ...keys, ...values);
      }
    });
  }

  /** A value read from the server that cannot be what was written. */
  damage(reason: string): ForewordError {
    return new ForewordError(
      'store-damaged',
      `The store ${this.shown} is damaged: ${reason}. Nothing was overwritten.`,
      {
        hint: 'Use another database of the server (redis://…/1), or restore the server from a backup.',
      },
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    try {
      await this.#connecting;
    } catch {
      // It never connected: there is nothing to close.
    }
    this.#client?.disconnect();
  }

  #drop(client: Redis | undefined): void {
    client?.disconnect();
    if (this.#client === client) this.#client = undefined;
  }

  async #connected(): Promise<Redis> {
    if (this.#client?.status === 'ready') return this.#client;
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #connect(): Promise<Redis> {
    const client = new Redis({
      ...this.#address.options,
      protocol: 2,
      lazyConnect: true,
      connectTimeout: CONNECT_TIMEOUT_MS,
      commandTimeout: COMMAND_TIMEOUT_MS,
      retryStrategy: () => null,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
    });
    let reason: unknown;
    client.on('error', (error: unknown) => {
      reason = error;
    });
    try {
      await withDeadline(client.connect(), CONNECT_TIMEOUT_MS + COMMAND_TIMEOUT_MS);
      this.#client = client;
      return client;
    } catch (error) {
      client.disconnect();
      throw reason ?? error;
    }
  }

  #explain(error: unknown): ForewordError {
    if (isForewordError(error)) return error;
    const text = error instanceof Error ? error.message : String(error);
    const known = KNOWN.find(({ starts }) => starts.test(text));
    const { code, hint } = known ?? UNKNOWN;
    return new ForewordError(code, `The store ${this.shown} ${known?.why ?? 'cannot be reached'}: ${oneLine(text)}.`, {
      hint,
      // A new error: the driver's own carries the command, and the command of a login carries the password.
      cause: new Error(text),
    });
  }
}

const AGAIN =
  'Check that the server runs and that this machine can reach it. A write that was cut off may or may not have been stored.';

const UNKNOWN: { code: ErrorCode; hint: string } = { code: 'store-unreachable', hint: AGAIN };

const KNOWN: readonly { starts: RegExp; code: ErrorCode; why: string; hint: string }[] = [
  { starts: /^OOM/, code: 'disk-full', why: 'has no memory left', hint: 'Raise maxmemory on the server.' },
  { starts: /^MISCONF/, code: 'disk-full', why: 'cannot write to its disk', hint: 'Free space on the server’s disk.' },
  {
    starts: /^(NOAUTH|WRONGPASS|ERR invalid password|ERR Client sent AUTH|NOPERM)/,
    code: 'store-unreachable',
    why: 'refuses this user',
    hint: 'Check user, password and permissions in the address.',
  },
  {
    starts: /^(READONLY|MASTERDOWN)/,
    code: 'store-unreachable',
    why: 'is read-only',
    hint: 'Use the address of the primary server, not of a replica.',
  },
  {
    starts: /^(MOVED|ASK)/,
    code: 'store-unreachable',
    why: 'is one node of a cluster, and another one holds these keys',
    hint: 'Use a server of its own: all keys of a project belong in one slot, so a cluster would spread nothing.',
  },
  {
    starts: /^(LOADING|CLUSTERDOWN|TRYAGAIN|BUSY)/,
    code: 'store-unreachable',
    why: 'is not ready',
    hint: 'Try again in a moment.',
  },
  {
    starts: /^WRONGTYPE/,
    code: 'store-damaged',
    why: 'holds other data under our keys; nothing was overwritten',
    hint: 'Use another database of the server (redis://…/1).',
  },
  {
    starts: /ECONNRESET|EPIPE|^Connection is closed/,
    code: 'store-unreachable',
    why: 'closed the connection (restarted, TLS on one side only, too many clients, or a proxy between)',
    hint: 'Check that rediss:// is used exactly where the server has TLS, its maxclients, and its log. A write that was cut off may or may not have been stored.',
  },
  { starts: /^(ERR|READONLY)/, code: 'internal', why: 'refused a command', hint: 'Please report this.' },
];

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Command timed out';
}

/** The connection broke before anything was sent: trying once more on a new one cannot do anything twice. */
function isUnsent(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("Stream isn't writeable");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/\.$/, '');
}

const hashes = new Map<string, string>();

function sha1(lua: string): string {
  let hash = hashes.get(lua);
  if (hash === undefined) {
    hash = createHash('sha1').update(lua).digest('hex');
    hashes.set(lua, hash);
  }
  return hash;
}

async function withDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('connecting took too long')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
