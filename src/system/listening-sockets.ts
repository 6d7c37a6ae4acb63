// The sockets in the file system at which programs of this machine wait. A network namespace does not separate them: whoever sees the file
// reaches the program.

import { readFileSync } from 'node:fs';
import { platform } from './platform.ts';

/** `SO_ACCEPTCON` in include/uapi/linux/net.h: somebody listens. */
const LISTENING = 0x10000;

/** Of a table in the form that Linux has; by default the one of this network. Empty on a system without such a table. */
export function listeningSockets(table: string = sockets()): readonly string[] {
  const paths = table.split('\n').flatMap((line) => {
    const [, flags = '0', path = ''] = /^\S+: \S+ \S+ (\S+) \S+ \S+ +\S+ (\/.*)$/.exec(line) ?? [];
    return (Number.parseInt(flags, 16) & LISTENING) === 0 ? [] : [path];
  });
  return [...new Set(paths)];
}

function sockets(): string {
  try {
    return platform.socketTable === undefined ? '' : readFileSync(platform.socketTable, 'utf8');
  } catch {
    return '';
  }
}
