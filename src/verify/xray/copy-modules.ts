// Puts our recording module in the place of each plug-in of the copied set-up that the agent loads into itself.

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { SetupModules } from '../../kernel/agent-setup.ts';
import { replaceFile } from '../../system/files/atomic.ts';
import { type Fields, fieldsOf, textOf } from '../model/json.ts';
import { isBelow, shortened } from './home-paths.ts';
import { moduleCode } from './module-recorder.ts';
import { asideOf, isModule, packageEntry } from './modules.ts';
import type { BroughtTool, XrayHook, XrayOwner } from './recording.ts';

export interface ModulePorts {
  readonly modules: SetupModules;
  readonly home: string;
  readonly project: string;
  /** The scratch home. */
  readonly into: string;
  readonly records: string;
  /** Takes a hook into the list; returns its id. */
  found(hook: Omit<XrayHook, 'id'>): string;
  /** Its code, which may name files of the home. */
  read(code: string): void;
  /** A path of the home that is to be there read-only. */
  mount(path: string): void;
}

/** In the scratch home: modules in the place of those that settings list. */
const LISTED = '.foreword-xray';

/** Our module and the original, by path, for a file in one of the agent's folders. */
export function inPlace(path: string, text: string, ports: ModulePorts & { readonly shown: string }) {
  const { records, modules, shown } = ports;
  ports.read(text);
  const id = ports.found(loaded(shown, { command: shown, file: shown }));
  const aside = asideOf(path);
  const original = `./${relative(dirname(path), aside)}`;
  return { [path]: moduleCode({ records, id, original, code: modules.code }), [aside]: text };
}

/** Those of the project, by path below its root. */
export function projectModules(ports: ModulePorts): Readonly<Record<string, string>> {
  const { modules, project } = ports;
  const paths = modules.folders.flatMap((folder) => {
    const at = join(project, folder);
    if (!existsSync(at)) return [];
    const names = readdirSync(at).flatMap((name) => [name, `${name}/index.ts`, `${name}/index.js`]);
    return names.map((name) => join(folder, name)).filter((path) => isModule(path, modules));
  });
  const files = paths.filter((path) => existsSync(join(project, path)) && statSync(join(project, path)).isFile());
  return Object.assign(
    {},
    ...files.map((path) => inPlace(path, readFileSync(join(project, path), 'utf8'), { ...ports, shown: path })),
  ) as Record<string, string>;
}

/** `folder`: where the file is; `file`: as a person knows it. */
interface SettingsPlace {
  readonly folder: string;
  readonly file: string;
}

/** The tools in files of their own, of the home and of the project. */
export function toolFiles(folders: readonly string[], home: string, project: string): readonly BroughtTool[] {
  return [home, project].flatMap((root) =>
    folders.flatMap((folder) => {
      const at = join(root, folder);
      const names = existsSync(at) ? readdirSync(at).filter((name) => /(?<!\.d)\.[jt]s$/.test(name)) : [];
      return names.map((name): BroughtTool => {
        const owner: XrayOwner = { kind: 'plug-in', name: shortened(join(at, name), home, project) };
        return { name: basename(name, extname(name)), owner, isGroup: true };
      });
    }),
  );
}

/** The settings with our modules in them. */
export function settingsWithModules(settings: Fields, where: SettingsPlace, ports: ModulePorts): Fields {
  const { key = '', unmeasured = '' } = ports.modules;
  const { [unmeasured]: left, ...kept } = settings;
  nameUnmeasured(left, where.file, ports);
  const list = kept[key];
  return Array.isArray(list) ? { ...kept, [key]: listedModules(list, where, ports) } : kept;
}

function listedModules(
  list: readonly unknown[],
  { folder, file }: SettingsPlace,
  ports: ModulePorts,
): readonly unknown[] {
  const one = (entry: string): string | undefined => {
    const { home, project, into, records, modules } = ports;
    // A pattern of what is not to be loaded.
    if (/^[!+-]/.test(entry)) return entry;
    const path = placeOf(entry, folder, ports);
    if (path === undefined) {
      ports.found({ ...loaded(entry, { command: entry, file }), skipped: 'its package was not found on this machine' });
      return undefined;
    }
    const within = isBelow(path, project) ? relative(project, path) : relative(home, path);
    // It is loaded once, from the folder where it is.
    if (isModule(within, modules)) return entry;
    const id = ports.found(
      loaded(shortened(entry.startsWith('.') ? path : entry, home, project), { command: path, file }),
    );
    const place = join(LISTED, `${id}.js`);
    mkdirSync(join(into, LISTED), { recursive: true });
    const original = pathToFileURL(path).href;
    replaceFile(join(into, place), moduleCode({ records, id, original, code: modules.code }));
    return /^[.~/]/.test(entry) ? join(home, place) : pathToFileURL(join(home, place)).href;
  };
  return list.flatMap((entry: unknown) => {
    const [name, ...options] = Array.isArray(entry) ? (entry as unknown[]) : [entry];
    if (typeof name !== 'string') return [entry];
    const changed = one(name);
    if (changed === undefined) return [];
    return [Array.isArray(entry) ? [changed, ...options] : changed];
  });
}

/** Packages that are left out are named. */
function nameUnmeasured(list: unknown, file: string, { found }: ModulePorts): void {
  for (const entry of Array.isArray(list) ? (list as unknown[]) : []) {
    const name = textOf(entry) ?? textOf(fieldsOf(entry).source);
    const skipped = 'foreword xray does not load packages of this agent yet, your own sessions do';
    if (name !== undefined) found({ ...loaded(name, { command: name, file }), skipped });
  }
}

/** The file that a listed plug-in begins with. */
function placeOf(entry: string, folder: string, { home, modules, mount }: ModulePorts): string | undefined {
  if (entry.startsWith('file://')) return entryOf(fileURLToPath(entry));
  if (entry.startsWith('~/')) return entryOf(join(home, entry.slice(2)));
  if (/^\.{0,2}\//.test(entry)) return entryOf(resolve(folder, entry));
  const place = (modules.packages?.(entry) ?? []).find((one) => existsSync(join(home, one, 'package.json')));
  if (place === undefined) return undefined;
  // With the packages beside it that it needs.
  const at = place.indexOf('/node_modules/');
  mount(at === -1 ? place : place.slice(0, at + '/node_modules'.length));
  return entryOf(join(home, place));
}

function entryOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (stat.isFile()) return path;
  const manifest = join(path, 'package.json');
  const entry = existsSync(manifest) ? packageEntry(JSON.parse(readFileSync(manifest, 'utf8'))) : 'index.js';
  const found = [entry, 'index.ts', 'index.js'].map((name) => join(path, name)).find((name) => existsSync(name));
  return found;
}

function loaded(name: string, about: Pick<XrayHook, 'command' | 'file'>): Omit<XrayHook, 'id'> {
  const owner: XrayOwner = /\bforeword\b/.test(name) ? { kind: 'foreword', name } : { kind: 'plug-in', name };
  return { event: 'loaded', owner, ...about };
}
