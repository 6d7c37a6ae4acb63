// Our hooks for one launch of an agent: its data with everything filled in. What is written and set is for that launch
// alone; no file of the person is touched.

import type { LaunchHook } from '../../../kernel/agent.ts';
import type { Sha256 } from '../../../kernel/hash.ts';

export interface FilledHook {
  readonly args: readonly string[];
  readonly set: Readonly<Record<string, string>>;
  /** To be written before the launch; the path is below the folder that was given. */
  readonly file?: { readonly path: string; readonly content: string };
}

export interface LaunchFacts {
  /** An absolute path of ours. */
  readonly folder: string;
  /** The hook's command line for an event, as a shell takes it. */
  readonly command: (event: string) => string;
  /** The text of our plug-in, for an agent that has no hooks of its own. */
  readonly plugIn?: string;
  readonly sha256: Sha256;
}

export function fillLaunchHook(hook: LaunchHook, given: LaunchFacts): FilledHook {
  const path = `${given.folder}/${hook.file?.name ?? ''}`;
  const folder = path.slice(0, path.lastIndexOf('/'));
  // In one go, so that nothing in a path or a command is taken for a placeholder.
  const fill = (text: string): string =>
    text.replace(PLACEHOLDER, (whole, word: string, name: string | undefined) => {
      if (word === 'command' && name !== undefined) return JSON.stringify(given.command(name)).slice(1, -1);
      if (word === 'sum' && name !== undefined) return given.sha256(fill(hook.sums?.[name] ?? ''));
      if (name !== undefined || word === 'command' || word === 'sum') return whole;
      if (word === 'plug-in') return given.plugIn ?? '';
      if (word === 'url') return `file://${path.split('/').map(encodeURIComponent).join('/')}`;
      return word === 'file' ? path : folder;
    });
  return {
    args: (hook.args ?? []).map(fill),
    set: Object.fromEntries(Object.entries(hook.set ?? {}).map(([name, value]) => [name, fill(value)])),
    ...(hook.file === undefined ? {} : { file: { path, content: fill(hook.file.content) } }),
  };
}

/** `{command EVENT}`, `{sum NAME}`, `{plug-in}`, `{file}`, `{url}`, `{folder}`. */
const PLACEHOLDER = /\{(command|sum|plug-in|file|url|folder)(?: ([a-z-]+))?\}/g;

/** Which setting of the person conflicts with our hooks at this launch; `undefined` when nothing does. Named so that the
 *  reason can be shown. */
export function inTheWay(
  hook: LaunchHook,
  given: {
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly isThere: (path: string) => boolean;
  },
): string | undefined {
  const { args = [], variables = [], files = [] } = hook.givesWayTo ?? {};
  return (
    args.find((flag) => given.args.some((one) => one === flag || one.startsWith(`${flag}=`))) ??
    variables.find((name) => (given.env[name] ?? '') !== '') ??
    files.find((path) => given.isThere(path))
  );
}
