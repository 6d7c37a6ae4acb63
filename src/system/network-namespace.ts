// A network of its own with nothing but loopback: what runs in it can reach no service and no other program of the
// machine, whatever it tries. An agent and the model it talks to must be in the same one, so the usual way is to start
// the driver of both again inside (`runAgainInside`). Linux only.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { environment, searchPath } from './environment.ts';
import { type Platform, platform } from './platform.ts';
import { findProgram } from './processes/find-program.ts';

export type CommandLine = readonly [string, ...string[]];

export interface Inside {
  readonly isAvailable: true;
  /** The command that runs `command` in a new namespace of its own. Arguments, folder, standard streams and exit status
   *  stay, and so does the process: each program of the chain becomes the next. */
  wrap(command: CommandLine): CommandLine;
}

export type Namespace = Inside | { readonly isAvailable: false; readonly reason: string };

const SHELL = '/bin/sh';

/** Brings loopback up, then becomes the program. */
const LOOPBACK_UP = 'PATH=/usr/sbin:/usr/bin:/sbin:/bin ip link set lo up && exec "$@"';

/** As root without a user namespace, because programs that make one themselves (bubblewrap) work there; anyone else
 *  becomes root of a user namespace. Found out by trying. */
export function inNamespace(isRoot: boolean = process.getuid?.() === 0, on: Platform = platform): Namespace {
  if (on.name !== 'linux')
    return {
      isAvailable: false,
      reason: `there are network namespaces on Linux only, and this is ${on.title}`,
    };
  const flags = isRoot ? '-n' : '-rn';
  const unshare = findProgram('unshare', { path: searchPath(environment()), cwd: process.cwd() });
  if (unshare === undefined) return { isAvailable: false, reason: 'unshare is not installed' };
  const wrap = (command: CommandLine): CommandLine => [unshare, flags, SHELL, '-c', LOOPBACK_UP, 'sh', ...command];
  const [program, ...args] = wrap([SHELL, '-c', ':']);
  const tried = spawnSync(program, args, { encoding: 'utf8', timeout: 10_000 });
  if (tried.status === 0) return { isAvailable: true, wrap };
  const said = (tried.error?.message ?? tried.stderr).trim();
  return { isAvailable: false, reason: `unshare ${flags}: ${said === '' ? `it ended with ${tried.status}` : said}` };
}

/** Namespaces of mounts, processes and network: what runs in them sees no other process, and everything in them ends with the first
 *  process. The command itself brings up loopback and mounts what it wants. Found out by trying. */
export function inOwnSystem(isRoot: boolean = process.getuid?.() === 0, on: Platform = platform): Namespace {
  if (on.name !== 'linux')
    return { isAvailable: false, reason: `there are namespaces on Linux only, and this is ${on.title}` };
  const path = searchPath(environment());
  const [unshare, ip] = ['unshare', 'ip'].map((name) =>
    findProgram(name, { path: `${path}:/usr/sbin:/sbin`, cwd: '/' }),
  );
  if (unshare === undefined) return { isAvailable: false, reason: 'unshare is not installed' };
  if (ip === undefined) return { isAvailable: false, reason: 'ip is not installed' };
  const flags = [...(isRoot ? [] : ['-r']), '-m', '-n', '-p', '-f', '--kill-child', '--mount-proc'];
  const wrap = (command: CommandLine): CommandLine => [unshare, ...flags, ...command];
  const [program, ...args] = wrap([
    SHELL,
    '-c',
    'PATH=/usr/sbin:/usr/bin:/sbin:/bin ip link set lo up && mount -t tmpfs tmpfs /mnt',
  ]);
  const tried = spawnSync(program, args, { encoding: 'utf8', timeout: 10_000 });
  if (tried.status === 0) return { isAvailable: true, wrap };
  const said = (tried.error?.message ?? tried.stderr).trim();
  return {
    isAvailable: false,
    reason: `unshare ${flags.join(' ')}: ${said === '' ? `it ended with ${tried.status}` : said}`,
  };
}

/** Whether loopback is the only interface of a table in the form of /proc/net/dev; by default the one of this process.
 *  False on a system without such a table. */
export function hasLoopbackOnly(table: string = interfaces()): boolean {
  const names = table
    .split('\n')
    .flatMap((line) => (line.includes(':') ? [line.slice(0, line.indexOf(':')).trim()] : []));
  return names.length > 0 && names.every((name) => name === 'lo');
}

function interfaces(): string {
  try {
    return readFileSync('/proc/net/dev', 'utf8');
  } catch {
    return '';
  }
}

/** For the first line of a driver: runs the same program with the same arguments inside and answers its exit status;
 *  `undefined` when this is inside already and the driver is to go on. */
export function runAgainInside(namespace: Inside): number | undefined {
  if (hasLoopbackOnly()) return undefined;
  const command: CommandLine = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const [program, ...args] = namespace.wrap(command);
  return spawnSync(program, args, { stdio: 'inherit' }).status ?? 1;
}
