// Where agents keep what is theirs. A variable that is set but empty counts as not set, as everywhere.

import { isAbsolute, join, resolve } from 'node:path';
import type { Places } from './target.ts';

/** The folder a variable names, `~` and relative paths as the shell would have them, else one in the home. */
export function folderFrom({ home, root, env }: Places, variable: string, name: string): string {
  const given = env[variable];
  if (given === undefined || given === '') return join(home, name);
  return given === '~' || given.startsWith('~/') ? join(home, given.slice(2)) : resolve(root, given);
}

/** By the XDG rules, where a relative path does not count. */
export function configHome({ home, env }: Places): string {
  const given = env.XDG_CONFIG_HOME;
  return given !== undefined && isAbsolute(given) ? given : join(home, '.config');
}
