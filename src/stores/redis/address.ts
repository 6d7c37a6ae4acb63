// A Redis address: checked whole, and shown without its password everywhere. Records and prompts would cross the network in
// plain text, and anybody there could write tasks, so another machine needs TLS and a password unless a person says otherwise.
// Decided from the address alone, before anything is sent.

import { isIP } from 'node:net';
import { type Fault, ForewordError } from '../../kernel/errors.ts';

export interface Address {
  /** `redis://host:port/0`: for messages. */
  readonly shown: string;
  readonly options: {
    readonly host: string;
    readonly port: number;
    readonly db: number;
    readonly username?: string;
    readonly password?: string;
    /** Present for TLS; certificates are checked against the host. */
    readonly tls?: Readonly<Record<string, never>>;
  };
}

/** Throws `bad-config` with what is wrong. The message never contains the given address, which may hold a password. */
export function parseAddress(url: string, where = '--store'): Address {
  const wrong = (message: string): ForewordError => {
    const fault: Fault = { where, path: '', message };
    return new ForewordError('bad-config', `The Redis address is wrong: ${message}`, { faults: [fault] });
  };
  if (!URL.canParse(url)) throw wrong('it must look like redis://user:password@host:6379/0.');
  const parsed = new URL(url);
  const isTls = parsed.protocol === 'rediss:';
  if (!isTls && parsed.protocol !== 'redis:') throw wrong('it must begin with redis:// or rediss://.');
  if (parsed.hostname === '') throw wrong('it has no host.');
  const database = parsed.pathname.replace(/^\/$/, '').slice(1);
  if (!/^\d{0,4}$/.test(database)) throw wrong('the path must be the number of a database, like /0.');
  const host = parsed.hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  const port = parsed.port === '' ? 6379 : Number(parsed.port);
  return {
    shown: `${parsed.protocol}//${parsed.hostname}:${port}/${Number(database)}`,
    options: {
      host,
      port,
      db: Number(database),
      ...(parsed.username === '' ? {} : { username: decode(parsed.username, wrong) }),
      ...(parsed.password === '' ? {} : { password: decode(parsed.password, wrong) }),
      ...(isTls ? { tls: {} } : {}),
    },
  };
}

/** Throws `bad-config` for a server on another machine without TLS or without a password. */
export function assertSafe(address: Address, { allowPlain }: { readonly allowPlain: boolean }): void {
  const { host, tls, password } = address.options;
  if (allowPlain || isLoopback(host) || (tls !== undefined && password !== undefined)) return;
  const missing = [...(tls === undefined ? ['TLS'] : []), ...(password === undefined ? ['a password'] : [])];
  throw new ForewordError(
    'bad-config',
    `${address.shown} is on another machine, and the address has no ${missing.map(withoutArticle).join(' and no ')}.`,
    {
      hint: `Use rediss:// with a user and a password before ${host}. In a network that only you can reach, --allow-plain-redis goes on without ${missing.join(' and ')}.`,
    },
  );
}

const withoutArticle = (what: string) => what.replace(/^a /, '');

/** A name other than localhost may resolve to anything, today or tomorrow. */
export function isLoopback(host: string): boolean {
  if (isIP(host) === 4) return host.startsWith('127.');
  return host === '::1' || host === 'localhost';
}

/** What names the server in the state of a project: the address without scheme, user and password. The names of this machine
 *  count as one. */
export function serverOf({ options: { host, port, db } }: Address): string {
  return `${isLoopback(host) ? 'localhost' : host}:${port}/${db}`;
}

function decode(text: string, wrong: (message: string) => ForewordError): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong('a % in the user or password must be written as %25.');
  }
}
