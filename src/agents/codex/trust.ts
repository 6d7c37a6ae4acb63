// Whether it will run our hooks: it runs only those that a person trusted, and remembers that by file, event, position and the
// hash of the hook. Written after codex-rs/hooks of 0.150 and held against 0.166 (`hooks/list` of its app server).

import type { SetUpHook, SetupQuestion } from '../../kernel/agent-audit.ts';
import type { TomlTable, TrustQuestion } from '../../kernel/agent-install.ts';
import type { TrustOfFile } from '../../kernel/agent-setup.ts';
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

/** Every hook of the person's settings; those that it skips, with why. A hook that a person switched off is none. */
export function skippedHooks(
  settings: ReadonlyMap<string, unknown>,
  { folders, sha256 }: SetupQuestion,
): readonly SetUpHook[] {
  const kept = settings.get('config.toml');
  const features = isTable(kept) && isTable(kept.features) ? kept.features : {};
  if (features.hooks === false) return [];
  const state = isTable(kept) && isTable(kept.hooks) && isTable(kept.hooks.state) ? kept.hooks.state : {};
  return [...settings].flatMap(([file, value]) => {
    const hooks = isTable(value) && isTable(value.hooks) ? value.hooks : {};
    return allHooks(hooks, () => true).flatMap(({ event, command, place, text }): SetUpHook[] => {
      const known = folders.map((folder) => state[`${folder}/${file}:${place}`]).find(isTable);
      if (known?.enabled === false) return [];
      if (known === undefined) return [{ event, command, skipped: 'untrusted' }];
      const isSame = known.trusted_hash === `sha256:${sha256(text)}`;
      return [{ event, command, ...(isSame ? {} : { skipped: 'modified' }) }];
    });
  });
}

/** Why it skips hooks of one file, by `EVENT:GROUP:HOOK`. */
export function whySkipped(value: TomlTable, { names, kept, sha256 }: TrustOfFile): ReadonlyMap<string, string> {
  const state = isTable(kept.hooks) && isTable(kept.hooks.state) ? kept.hooks.state : {};
  const all = allHooks(isTable(value.hooks) ? value.hooks : {}, () => true);
  return new Map(
    all.flatMap(({ event, place, text }) => {
      const known = names.map((name) => state[`${name}:${place}`]).find(isTable);
      const why =
        known === undefined
          ? 'nobody has agreed to it; start codex in a terminal and review its hooks'
          : known.enabled === false
            ? 'it is switched off'
            : known.trusted_hash === `sha256:${sha256(text)}`
              ? undefined
              : 'it was changed since somebody agreed to it; start codex in a terminal and review its hooks';
      return why === undefined ? [] : [[place.replace(labelOf(event), event), why] as const];
    }),
  );
}

/** The place of each of our hooks, in its own notation, and the text that it hashes. */
export function ownHooks(
  hooks: TomlTable,
  isOurs: TrustQuestion['isOurs'],
): readonly { readonly place: string; readonly text: string }[] {
  return allHooks(hooks, isOurs).map(({ place, text }) => ({ place, text }));
}

function allHooks(hooks: TomlTable, isWanted: (command: unknown) => boolean) {
  return Object.entries(hooks).flatMap(([event, groups]) =>
    list(groups).flatMap((group, index) =>
      list(group.hooks).flatMap((hook, at) => {
        if (!isWanted(hook.command)) return [];
        const command = typeof hook.command === 'string' ? hook.command : '';
        return [{ event, command, place: `${labelOf(event)}:${index}:${at}`, text: textOf(event, group, hook) }];
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
