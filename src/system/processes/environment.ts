// The environment of a program we run: a base list that any program needs, what its data names, what the
// caller sets. Nothing else, so that a key for one agent never reaches another.

import { delimiter, isAbsolute } from 'node:path';

/** Who and where the user is, the language, the terminal, and how to reach the network from here. */
const BASE_NAMES = new Set([
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'TERM', 'TMPDIR', 'TZ'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'],
  ...['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS'],
]);
const BASE_PREFIXES = ['LC_', 'XDG_'];

/** `set` wins over `base` and is taken as it is. A variable that `base` does not have stays absent. PATH loses its
 *  relative and empty entries: they would let the folder an agent works in decide which `git` is run. */
export function childEnvironment(options: {
  readonly base: Readonly<Record<string, string | undefined>>;
  readonly names: readonly string[];
  readonly set?: Readonly<Record<string, string>>;
}): Record<string, string> {
  const named = new Set(options.names);
  const taken = Object.entries(options.base).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || !(named.has(name) || isBase(name))) return [];
    if (name !== 'PATH') return [[name, value]];
    const path = absoluteEntries(value);
    return path === '' ? [] : [[name, path]];
  });
  return { ...Object.fromEntries(taken), ...options.set };
}

function isBase(name: string): boolean {
  return BASE_NAMES.has(name) || BASE_PREFIXES.some((prefix) => name.startsWith(prefix));
}

function absoluteEntries(path: string): string {
  return path
    .split(delimiter)
    .filter((entry) => isAbsolute(entry))
    .join(delimiter);
}
