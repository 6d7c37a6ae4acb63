// The folders of agents. A variable that is set but empty counts as not set.

import { isAbsolute, join, resolve } from 'node:path';
import type { OwnFolder } from '../kernel/agent-install.ts';
import type { Places } from './target.ts';

/** `undefined` for an agent without one. */
export function ownFolder(places: Places, folder: OwnFolder | undefined): string | undefined {
  if (folder === undefined) return undefined;
  const home = (folder.homeVariable === undefined ? undefined : places.env[folder.homeVariable]) || places.home;
  const usual = join(folder.in === 'config' ? configHome(places) : home, folder.path);
  return folder.variable === undefined ? usual : folderFrom(places, folder.variable, usual);
}

/** The folder that a variable names, with `~` and relative paths resolved like a shell does; else the default. */
export function folderFrom({ home, root, env }: Places, variable: string, usual: string): string {
  const given = env[variable];
  if (given === undefined || given === '') return usual;
  return given === '~' || given.startsWith('~/') ? join(home, given.slice(2)) : resolve(root, given);
}

/** By the XDG rules, where a relative path does not count. */
function configHome({ home, env }: Places): string {
  const given = env.XDG_CONFIG_HOME;
  return given !== undefined && isAbsolute(given) ? given : join(home, '.config');
}
