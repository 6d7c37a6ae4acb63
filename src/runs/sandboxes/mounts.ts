// What a command sees of the file system: the system's programs read-only, the copy of the work tree at the place of the
// original, a little of /etc, and memory. Nothing else is there: no home, no /run, no /var, no socket.

import { lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

/** In order: a later one may lie in an earlier one. */
export type Mount =
  | { readonly kind: 'read-only' | 'writable'; readonly source: string; readonly target: string }
  /** A folder in the space of the run (space.ts): this process cannot see its source. */
  | { readonly kind: 'space'; readonly source: string; readonly target: string }
  | { readonly kind: 'link'; readonly source: string; readonly target: string }
  | { readonly kind: 'memory'; readonly target: string; readonly bytes: number };

/** Where linked folders of the original are inside. */
export const LINKED = '/foreword/linked';
export const INNER_HOME = '/tmp/home';

/** Users, names and certificates; no keys, no name servers, no host's configuration. */
const ETC = [
  ...['passwd', 'group', 'nsswitch.conf', 'hosts', 'localtime', 'alternatives', 'ld.so.cache', 'ld.so.conf'],
  ...['ld.so.conf.d', 'ssl/certs', 'ssl/openssl.cnf', 'pki/tls/certs', 'pki/ca-trust/extracted', 'ca-certificates'],
];
/** Of `/etc/java-17-openjdk` and its like, without which a JVM cannot compile: all but `management`, which can hold passwords. */
const isJavaFolder = (name: string): boolean => /^java-[\w.-]+$/.test(name);
const MERGED = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'];
/** What the kernel shows everybody of the keys, the timers and the memory of the machine; not every kernel has all. */
const HIDDEN_PROC = ['/proc/keys', '/proc/key-users', '/proc/kcore', '/proc/timer_list', '/proc/sched_debug'];
/** Kernel interfaces and sockets: never bound, whatever the settings are. */
const CLOSED = ['/proc', '/sys', '/dev', '/run', '/var/run'];
/** Not as a whole: anyone's sockets and files are there. */
const TOO_WIDE = ['/', '/tmp', '/var', '/home'];

export function systemMounts(nodePath: string, readOnly: readonly string[], memoryBytes: number): readonly Mount[] {
  const etc = [...ETC, ...javaSettings()].map((name) => join('/etc', name)).filter((path) => exists(path));
  return [
    bind('/usr'),
    ...MERGED.flatMap((name) => merged(`/${name}`)),
    ...etc.map((path) => bind(path)),
    { kind: 'memory', target: '/tmp', bytes: memoryBytes },
    ...nodeMounts(nodePath),
    ...readOnly.map((path) => bind(resolve(path))),
  ];
}

/** Empty files over what commands must not read in /proc. */
export function hiddenMounts(): readonly Mount[] {
  return HIDDEN_PROC.filter(exists).map((target) => ({ kind: 'read-only', source: '/dev/null', target }));
}

/** Why a path that a person listed is not shown to commands; `undefined` when it may be. */
export function refusal(path: string): string | undefined {
  if (!isAbsolute(path)) return `${path} is not an absolute path`;
  const real = realPath(path);
  if (real === undefined) return `${path} does not exist`;
  if (CLOSED.some((closed) => isWithin(real, closed)) || TOO_WIDE.includes(real))
    return `${path} is never shown to commands`;
  if (holdsHome(real)) return `${path} holds the home folder`;
  return undefined;
}

/** The path is a home folder, or above one. */
export function holdsHome(path: string): boolean {
  return homes().some((home) => isWithin(home, path));
}

/** Real paths; the two differ under sudo and in containers. */
export function homes(): readonly string[] {
  const given = [homedir(), ownHome()].filter((home) => isAbsolute(home) && home !== '/');
  return [...new Set(given.map((home) => realPath(home) ?? home))];
}

function ownHome(): string {
  try {
    return userInfo().homedir;
  } catch {
    // A user without an entry in passwd, as in many containers, has no home but the one in the environment.
    return '';
  }
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // Not there, or not ours to see: the same to a caller.
    return undefined;
  }
}

/** A version manager keeps node in the home folder: its own folder and npm's, and nothing beside them. */
function nodeMounts(nodePath: string): readonly Mount[] {
  const real = realPath(nodePath) ?? nodePath;
  const folder = dirname(real);
  if (isWithin(real, '/usr')) return [];
  if (holdsHome(folder) || basename(folder) !== 'bin') return [bind(real)];
  const modules = join(folder, '../lib/node_modules');
  return [bind(folder), ...(exists(modules) ? [bind(modules)] : [])];
}

function javaSettings(): readonly string[] {
  return list('/etc')
    .filter(isJavaFolder)
    .flatMap((folder) => list(join('/etc', folder)).map((name) => join(folder, name)))
    .filter((path) => basename(path) !== 'management');
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Not ours to list, or no folder: nothing to show.
    return [];
  }
}

function merged(path: string): readonly Mount[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  return [stats.isSymbolicLink() ? { kind: 'link', source: readlinkSync(path), target: path } : bind(path)];
}

function bind(path: string): Mount {
  return { kind: 'read-only', source: path, target: path };
}

function exists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A folder on the way may not be entered: nothing to show.
    return false;
  }
}
