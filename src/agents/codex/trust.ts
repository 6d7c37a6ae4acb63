// Whether it will run our hooks: it runs only those that a person trusted, and remembers that by file, event, position and the
// hash of the hook. Written after codex-rs/hooks of 0.150 and held against 0.166 (`hooks/list` of its app server).

import type { TomlTable, TrustQuestion } from '../../kernel/agent-install.ts';
import { inKeyOrder } from '../../kernel/same-value.ts';
import { labelOf } from './hooks.ts';

export function isTrusted({ hooks, kept, names, isOurs, sha256 }: TrustQuestion): boolean {
  const state = isTable(kept.hooks) && isTable(kept.hooks.state) ? kept.hooks.state : {};
  return ownHooks(hooks, isOurs).every(({ place, text }) =>
    names.some((name) => {
      const known = state[`${name}:${place}`];
      return isTable(known) && known.trusted_hash === `sha256:${sha256(text)}` && known.enabled !== false;
    }),
  );
}

/** The place of each of our hooks, in its own notation, and the text that it hashes. */
export function ownHooks(
  hooks: TomlTable,
  isOurs: TrustQuestion['isOurs'],
): readonly { readonly place: string; readonly text: string }[] {
  return Object.entries(hooks).flatMap(([event, groups]) =>
    list(groups).flatMap((group, index) =>
      list(group.hooks).flatMap((hook, at) => {
        if (!isOurs(hook.command)) return [];
        return [{ place: `${labelOf(event)}:${index}:${at}`, text: textOf(event, group, hook) }];
      }),
    ),
  );
}

/** The hook as it understands it: with its defaults, without its neighbours, keys in order. */
function textOf(event: string, group: TomlTable, hook: TomlTable): string {
  const hasMatcher = typeof group.matcher === 'string' && event !== 'UserPromptSubmit' && event !== 'Stop';
  const identity = {
    event_name: labelOf(event),
    ...(hasMatcher ? { matcher: group.matcher } : {}),
    hooks: [{ async: false, ...hook }],
  };
  return JSON.stringify(inKeyOrder(identity));
}

function list(value: unknown): readonly TomlTable[] {
  return Array.isArray(value) ? value.filter(isTable) : [];
}

function isTable(value: unknown): value is TomlTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
