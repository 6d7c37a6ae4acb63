// Whether a person said, where an agent would look for it, that a folder is trusted: then the agent will not ask. What cannot
// be read says nothing. Pure; the files are handed in.

import type { TrustSigns } from '../kernel/agent.ts';

export interface TrustSurroundings {
  /** As the system names it. */
  readonly folder: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `undefined` for a file that is not there or is no JSON. */
  readonly readJson: (path: string) => unknown;
}

export function isFolderTrusted(signs: TrustSigns | undefined, around: TrustSurroundings): boolean {
  if (signs === undefined) return false;
  const { args = [], variables = {}, files = [] } = signs;
  const end = around.args.indexOf('--');
  const options = end === -1 ? around.args : around.args.slice(0, end);
  if (args.some((word) => options.includes(word))) return true;
  if (Object.entries(variables).some(([name, value]) => around.env[name] === value)) return true;
  const home = (signs.homeVariable && around.env[signs.homeVariable]) || around.env.HOME;
  if (home === undefined || home === '') return false;
  return files.some(({ path, at, is }) => {
    const found = valueAt(around.readJson(`${home}/${path}`), at, around.folder);
    return is.some((value) => value === found);
  });
}

function valueAt(value: unknown, at: readonly string[], folder: string): unknown {
  return at.reduce<unknown>((inside, key) => {
    if (typeof inside !== 'object' || inside === null) return undefined;
    const map = inside as Readonly<Record<string, unknown>>;
    return map[key === '{folder}' ? nearestFolder(map, folder) : key];
  }, value);
}

function nearestFolder(map: Readonly<Record<string, unknown>>, folder: string): string {
  if (Object.hasOwn(map, folder)) return folder;
  const above = folder.slice(0, folder.lastIndexOf('/')) || '/';
  return folder === '/' ? folder : nearestFolder(map, above);
}
