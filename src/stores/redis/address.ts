// A Redis address: checked whole, and shown without its password everywhere.

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
  const host = parsed.hostname.replace(/^\[(.*)\]$/, '$1');
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

function decode(text: string, wrong: (message: string) => ForewordError): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong('a % in the user or password must be written as %25.');
  }
}
