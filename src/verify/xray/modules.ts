// Plug-ins that an agent loads into itself: which files are one, and what their records say.

import { basename, dirname, extname } from 'node:path';
import type { SetupModules } from '../../kernel/agent-setup.ts';
import { fieldsOf, textOf } from '../model/json.ts';
import type { HookRun, KnownText, XrayHook, XrayOwner } from './recording.ts';

const LOADED: Readonly<Record<string, string>> = { '.js': '.mjs', '.ts': '.mts' };

/** The path is relative to the home or to the project. */
export function isModule(path: string, { folders, isFlat = false }: Pick<SetupModules, 'folders' | 'isFlat'>): boolean {
  if (LOADED[extname(path)] === undefined || path.endsWith('.d.ts')) return false;
  const isIndex = !isFlat && basename(path, extname(path)) === 'index';
  return folders.includes(dirname(path)) || (isIndex && folders.includes(dirname(dirname(path))));
}

/** The original, beside the module that stands in its place: the agent does not look for these names, and its imports still work. */
export function asideOf(path: string): string {
  const kind = extname(path);
  return `${path.slice(0, -kind.length)}.xray${LOADED[kind] ?? kind}`;
}

/** Where a package begins, relative to its folder. */
export function packageEntry(manifest: unknown): string {
  const { exports, main, module } = fieldsOf(manifest);
  const first = (value: unknown): string | undefined => {
    const { import: one, default: other } = fieldsOf(value);
    return textOf(value) ?? (one === undefined && other === undefined ? undefined : first(one ?? other));
  };
  const { './server': server, '.': own } = fieldsOf(exports);
  return first(server) ?? first(own) ?? first(exports) ?? textOf(module) ?? textOf(main) ?? 'index.js';
}

export interface ModuleRecord {
  readonly hook: string;
  readonly tools: readonly string[];
  readonly texts: readonly string[];
}

/** A module is one entry of the set-up and answers to many events: each of them becomes a hook of its own. */
export function withEvents(hooks: readonly XrayHook[], runs: readonly HookRun[]): readonly XrayHook[] {
  return hooks.flatMap((hook) => {
    const own = runs.filter(({ hook: id, event }) => event !== undefined && id === `${hook.id} ${event}`);
    const events = [...new Set(own.flatMap(({ event }) => event ?? []))];
    return events.length === 0 ? [hook] : events.map((event) => ({ ...hook, id: `${hook.id} ${event}`, event }));
  });
}

export function broughtBy(hooks: readonly XrayHook[], records: readonly ModuleRecord[]) {
  const each = <T>(pick: (record: ModuleRecord, owner: XrayOwner) => readonly T[]): readonly T[] =>
    records.flatMap((record) => {
      const owner = hooks.find(({ id }) => id === record.hook)?.owner;
      return owner === undefined ? [] : pick(record, owner);
    });
  return {
    tools: each(({ tools }, owner) => tools.map((name) => ({ name, owner }))),
    texts: each(({ texts }, owner) => texts.map((text): KnownText => ({ owner, text }))),
  };
}
