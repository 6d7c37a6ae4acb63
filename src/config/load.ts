// The configuration: which value each setting of settings.ts has, and where it came from. A wrong value or an unknown key
// is refused, all of them at once. Settings of a repository's own file about programs need trust (config/schemas/trust.ts).

import { basename, isAbsolute, relative, resolve } from 'node:path';
import * as v from 'valibot';
import type { Agent } from '../kernel/agent.ts';
import { type Fault, ForewordError, renderFault } from '../kernel/errors.ts';
import { nearest } from '../kernel/nearest.ts';
import { type Environment, environment } from '../system/environment.ts';
import { locate } from '../system/files/locate.ts';
import { observeFile } from '../system/files/observe-file.ts';
import type { Path } from '../system/formats/index.ts';
import { agentsFaults, agentUseFaults } from './schemas/agents.ts';
import { byName } from './schemas/by-name.ts';
import { faultAt, faultsIn, inOrder, sentence } from './schemas/check.ts';
import { type Document, isMap, openDocument } from './schemas/document.ts';
import { entryOf, schemaOf } from './schemas/setting.ts';
import { trustNeeded, withoutTrust } from './schemas/trust.ts';
import { text } from './schemas/words.ts';

import { CONFIG_PLACES, defaultOf, type Setting, variableOf, writtenIn } from './setting.ts';
import { PLAIN, SECTIONS } from './settings.ts';

export { trustNeeded } from './schemas/trust.ts';
export { variableOf } from './setting.ts';
export { PLAIN, SECTIONS } from './settings.ts';

type Sections = typeof SECTIONS;
type ValueOf<S> = S extends Setting<infer T> ? T : never;

export type Config = {
  readonly [S in keyof Sections]: { readonly [K in keyof Sections[S]]: ValueOf<Sections[S][K]> };
} & { readonly [K in keyof typeof PLAIN]: ValueOf<(typeof PLAIN)[K]> } & { readonly project: string };

/** `history.size`, `store`: how flags and origins name a setting. */
export type SettingName =
  | { [S in keyof Sections]: `${S}.${keyof Sections[S] & string}` }[keyof Sections]
  | keyof typeof PLAIN;

export interface Origin {
  readonly value: unknown;
  /** `default`, the file, the variable or the flag, by name. */
  readonly from: string;
}

export interface ConfigSources {
  readonly root: string;
  /** The person's current folder, for a path in a flag; the root when absent. */
  readonly cwd?: string | undefined;
  /** By the name of the setting; text is read as in a variable, undefined counts as not given. */
  readonly flags?: Readonly<Partial<Record<SettingName, unknown>>> | undefined;
  /** The process's own when absent. */
  readonly env?: Environment | undefined;
  /** The file given by --config, relative to the root or absolute; it must exist. It is trusted. */
  readonly file?: string | undefined;
  /** Whether a person agreed to the parts of the repository's own file that need trust; otherwise they are ignored. */
  readonly isTrusted?: boolean | undefined;
}

export interface LoadedConfig {
  readonly config: Config;
  readonly origins: Readonly<Record<string, Origin>>;
  /** The parts of the repository's own file that need trust, used or not. */
  readonly needsTrust: { readonly parts: Readonly<Record<string, unknown>> };
  /** The keys of these parts that were ignored. */
  readonly ignored: readonly string[];
  /** The file that was read, as in the origins; empty without one. */
  readonly file: string;
  /** The line of a setting in the file that was read; `undefined` when the file does not have it. */
  readonly lineOf: (path: Path) => number | undefined;
}

/** Throws `bad-config` with every fault at once. */
export function loadConfig(sources: ConfigSources): LoadedConfig {
  const { faults, ...loaded } = readConfig(sources);
  refuse(faults);
  return loaded;
}

/** For callers that run agents: throws `bad-config` when the lineup or helper names an unknown agent, a configured agent has
 *  no command, or a pattern could hang. `compile` is `compilePattern`, which is too heavy to load for every command. */
export function checkAgents(
  loaded: LoadedConfig,
  known: { readonly builtIn: readonly Agent[]; readonly compile: (text: string) => object },
): void {
  const placeOf = (path: Path) => {
    const origin = loaded.origins[path.slice(0, 2).join('.')] ?? loaded.origins[String(path[0])];
    const where = origin?.from ?? 'default';
    const line = where === loaded.file ? loaded.lineOf(path) : undefined;
    return line === undefined ? { where } : { where, line };
  };
  refuse(agentUseFaults(loaded.config, { ...known, placeOf }));
}

function refuse(faults: readonly Fault[]): void {
  const [first] = faults;
  if (first === undefined) return;
  const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`;
  throw new ForewordError('bad-config', `The configuration has ${count}. ${renderFault(first)}`, {
    hint: 'Fix each of these settings, or remove it to use its default.',
    faults,
  });
}

/** For hooks: never throws. A file with any fault is ignored as a whole, a wrong variable or flag by itself. */
export function readConfig(sources: ConfigSources): LoadedConfig & { readonly faults: readonly Fault[] } {
  const env = sources.env ?? environment();
  const file = readFile(sources);
  const faults: Fault[] = [...file.faults, ...misspelt(env)];
  const folder = basename(resolve(sources.root)) || 'project';
  const origins: Record<string, Origin> = {};
  const config: Record<string, unknown> = {};
  for (const [name, setting] of settings()) {
    const origin = located(
      setting,
      sources.cwd ?? sources.root,
      fromFlag(name, setting, sources.flags?.[name], faults),
    ) ??
      located(setting, sources.root, fromVariable(name, setting, env, faults)) ??
      (setting.isPersonal ? undefined : fromFile(name, file)) ?? {
        value: name === 'project' ? folder : defaultIn(config, name, setting),
        from: 'default',
      };
    origins[name] = origin;
    put(config, name, origin.value);
  }
  const { needsTrust, ignored, lineOf } = file;
  return { config: config as Config, origins, needsTrust, ignored, lineOf, file: file.from, faults };
}

/** Every setting by its name, in the order of the page. */
export function settings(): readonly (readonly [SettingName, Setting<unknown>])[] {
  const plain = Object.entries(PLAIN);
  const inSections = Object.entries(SECTIONS).flatMap(([section, all]) =>
    Object.entries(all).map(([key, setting]) => [`${section}.${key}`, setting] as const),
  );
  return [...plain, ...inSections] as readonly (readonly [SettingName, Setting<unknown>])[];
}

/** The schema of the file; built on demand, since most commands find no file. @internal */
export function configSchema() {
  const sections = Object.entries(SECTIONS).map(([name, all]) => {
    const entries = Object.fromEntries(Object.entries(all).map(([key, setting]) => [key, entryOf(setting)]));
    return [name, v.optional(v.strictObject(entries, `a map with ${Object.keys(all).join(', ')}`))];
  });
  const plain = Object.entries(PLAIN as Readonly<Record<string, Setting<unknown>>>);
  const own = plain.filter(([, { isPersonal }]) => !isPersonal).map(([name, setting]) => [name, entryOf(setting)]);
  const entries = { $schema: v.optional(text()), ...Object.fromEntries(own), ...Object.fromEntries(sections) };
  return v.pipe(v.strictObject(entries, 'a map of settings'), v.title('foreword configuration'));
}

interface FileSettings extends Pick<LoadedConfig, 'needsTrust' | 'ignored' | 'lineOf'> {
  readonly from: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly faults: readonly Fault[];
}

const NO_FILE: FileSettings = {
  from: '',
  value: {},
  faults: [],
  needsTrust: { parts: {} },
  ignored: [],
  lineOf: () => undefined,
};

function readFile({ root, file, isTrusted }: ConfigSources): FileSettings {
  const parse = byName((format, content, where) => openDocument(format, content, where), ['yaml', 'json']);
  const observed = observeFile(root, { path: file, places: CONFIG_PLACES }, parse);
  if (observed.kind === 'absent') return NO_FILE;
  if (observed.kind === 'unavailable') return { ...NO_FILE, from: observed.from, faults: observed.faults };
  const document = { ...observed.value, value: observed.value.value ?? {} };
  const faults = fileFaults(document, file === undefined ? root : undefined);
  const value = faults.length === 0 && isMap(document.value) ? document.value : {};
  const { lineOf } = document;
  if (file !== undefined) return { ...NO_FILE, from: observed.from, value, faults, lineOf };
  const needsTrust = trustNeeded(value);
  if (isTrusted === true) return { ...NO_FILE, from: observed.from, value, faults, lineOf, needsTrust };
  const ignored = Object.keys(needsTrust.parts);
  return { from: observed.from, value: withoutTrust(value), faults, lineOf, needsTrust, ignored };
}

/** `root` is given for a file that came with the repository: it may name no place outside. */
function fileFaults(document: Document, root: string | undefined): readonly Fault[] {
  const { value } = document;
  if (!isMap(value)) return faultsIn(configSchema(), document);
  const { agents: _, ...rest }: Record<string, unknown> = value;
  const faults = [...agentsFaults(document)];
  for (const [name] of settings().filter(([, { isPersonal }]) => isPersonal)) {
    if ((rest[name] ?? null) !== null) faults.push(faultAt(document, [name], personalOnly(name), 'key'));
    delete rest[name];
  }
  faults.push(...faultsIn(configSchema(), { ...document, value: rest }));
  for (const [name, setting] of root === undefined ? [] : settings()) {
    const given = get(rest, name);
    if (setting.isPath && typeof given === 'string' && isOutside(root ?? '', given))
      faults.push(faultAt(document, name.split('.'), sentence(given, 'a path inside the project')));
  }
  return inOrder(faults);
}

function personalOnly(name: SettingName): string {
  const what = name === 'store' ? 'the store' : name;
  return `The configuration file cannot set ${what}; use ${flagOf(name)} or ${variableOf(name)}.`;
}

function isOutside(root: string, given: string): boolean {
  const name = relative(resolve(root), resolve(root, given));
  return isAbsolute(given) || name === '..' || /^\.\.[\\/]/.test(name) || isAbsolute(name);
}

function fromFile(name: SettingName, file: FileSettings): Origin | undefined {
  const value = get(file.value, name);
  return value === undefined || value === null ? undefined : { value, from: file.from };
}

function fromVariable(
  name: SettingName,
  setting: Setting<unknown>,
  env: Environment,
  faults: Fault[],
): Origin | undefined {
  const written = writtenIn(env, name, setting);
  return written && checked(setting, written.value, written.variable, faults);
}

function fromFlag(name: SettingName, setting: Setting<unknown>, given: unknown, faults: Fault[]): Origin | undefined {
  if (given === undefined) return undefined;
  return checked(setting, typeof given === 'string' ? setting.fromText(given) : given, flagOf(name), faults);
}

function flagOf(name: SettingName): string {
  return `--${(name.split('.').at(-1) ?? '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** A relative path means one file for every process of the project: in a variable it starts at the root. In a flag it starts
 *  at the person's current folder. */
function located(setting: Setting<unknown>, folder: string, origin: Origin | undefined): Origin | undefined {
  if (setting.isLocated !== true || typeof origin?.value !== 'string') return origin;
  return { ...origin, value: locate(origin.value, folder) };
}

function checked(setting: Setting<unknown>, value: unknown, from: string, faults: Fault[]): Origin | undefined {
  const found = faultsIn(schemaOf(setting), {
    value,
    where: from,
    lineOf: () => undefined,
    keyLineOf: () => undefined,
  });
  faults.push(...found);
  return found.length === 0 ? { value, from } : undefined;
}

/** A run gives it to its agents; see system/files/project-state.ts. */
const NO_SETTING = 'FOREWORD_STATE';

function misspelt(env: Environment): readonly Fault[] {
  const known = [NO_SETTING, ...settings().map(([name]) => variableOf(name))];
  return Object.keys(env).flatMap((where): readonly Fault[] => {
    if (!where.startsWith('FOREWORD_') || known.includes(where)) return [];
    const meant = nearest(where, known.slice(1));
    return meant === undefined ? [] : [{ where, path: '', message: `No such setting; did you mean ${meant}?` }];
  });
}

/** `config` holds the settings that come before it in the list. */
function defaultIn(config: Readonly<Record<string, unknown>>, name: SettingName, setting: Setting<unknown>): unknown {
  const [section = '', key] = name.split('.');
  const values = config[section];
  return defaultOf(setting, key !== undefined && isMap(values) ? values : {});
}

function get(value: Readonly<Record<string, unknown>>, name: string): unknown {
  const [section = '', key] = name.split('.');
  const first = Object.hasOwn(value, section) ? value[section] : undefined;
  if (key === undefined) return first;
  return isMap(first) && Object.hasOwn(first, key) ? first[key] : undefined;
}

function put(config: Record<string, unknown>, name: string, value: unknown): void {
  const [section = '', key] = name.split('.');
  if (key === undefined) config[section] = value;
  else config[section] = { ...(config[section] as object | undefined), [key]: value };
}
