// Whether Codex will run our hooks: it runs only those that a person trusted, and remembers that by file, event, position
// and the hash of the hook. Written after codex-rs/hooks of 0.150 and held against 0.166 (`hooks/list` of its app server).

import { createHash } from 'node:crypto';
import { parse } from 'smol-toml';
import { inKeyOrder } from '../kernel/same-value.ts';
import { plainOf, readJsonc } from './jsonc.ts';
import { isOurCommand } from './shell-command.ts';
import type { Site } from './target.ts';

export type Trust = 'trusted' | 'waits for review' | 'unknown';

type Table = Readonly<Record<string, unknown>>;

export interface TrustQuestion {
  readonly site: Site;
  /** Of the file with our hooks. */
  readonly text: string;
  /** Names under which Codex may know that file. */
  readonly names: readonly string[];
  /** Of the person's config.toml; `undefined` when there is none. */
  readonly config: string | undefined;
}

export function codexTrust({ site, text, names, config }: TrustQuestion): Trust {
  const hooks = hooksIn(site, text);
  const state = config === undefined ? {} : stateIn(config);
  if (hooks === undefined || state === undefined) return 'unknown';
  const own = ownHooks(hooks);
  const isTrusted = own.every(({ place, hash }) =>
    names.some((name) => {
      const known = state[`${name}:${place}`];
      return isTable(known) && known.trusted_hash === hash && known.enabled !== false;
    }),
  );
  return isTrusted ? 'trusted' : 'waits for review';
}

/** Where each of our hooks stands, as Codex names the place, and what it hashes to. */
export function ownHooks(hooks: Table): readonly { readonly place: string; readonly hash: string }[] {
  return Object.entries(hooks).flatMap(([event, groups]) =>
    list(groups).flatMap((group, index) =>
      list(group.hooks).flatMap((hook, at) => {
        if (!isOurCommand(hook.command)) return [];
        return [{ place: `${labelOf(event)}:${index}:${at}`, hash: hashOf(event, group, hook) }];
      }),
    ),
  );
}

/** Of the hook as it understands it: with its defaults, without its neighbours, keys in order. */
function hashOf(event: string, group: Table, hook: Table): string {
  const hasMatcher = typeof group.matcher === 'string' && event !== 'UserPromptSubmit' && event !== 'Stop';
  const identity = {
    event_name: labelOf(event),
    ...(hasMatcher ? { matcher: group.matcher } : {}),
    hooks: [{ async: false, ...hook }],
  };
  return `sha256:${createHash('sha256')
    .update(JSON.stringify(inKeyOrder(identity)))
    .digest('hex')}`;
}

/** `PreToolUse` is `pre_tool_use`. */
function labelOf(event: string): string {
  return event.replace(/(?<=.)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

function hooksIn(site: Site, text: string): Table | undefined {
  if (site.format === 'toml') return tableAt(text, 'hooks');
  const read = readJsonc(text);
  const value = read.ok && read.root !== undefined ? plainOf(text, read.root) : undefined;
  return isTable(value) && isTable(value.hooks) ? value.hooks : undefined;
}

function stateIn(config: string): Table | undefined {
  const hooks = tableAt(config, 'hooks');
  if (hooks === undefined) return undefined;
  return isTable(hooks.state) ? hooks.state : {};
}

/** An absent table is empty; `undefined` when the text is no TOML. */
function tableAt(text: string, key: string): Table | undefined {
  try {
    const value = parse(text, { integersAsBigInt: 'asNeeded' })[key];
    return isTable(value) ? value : {};
  } catch {
    return undefined;
  }
}

function list(value: unknown): readonly Table[] {
  return Array.isArray(value) ? value.filter(isTable) : [];
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
