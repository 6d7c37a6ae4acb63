// The configuration: every setting with its default, its meaning and what it allows, and where each value came from.
// docs/configuration.md and schema/config.schema.json are made from SECTIONS
// by scripts/docs-config.mjs. To add a setting: a line in SECTIONS, then `node scripts/docs-config.mjs`.

import { basename, isAbsolute, relative, resolve } from 'node:path';
import * as v from 'valibot';
import { type Fault, ForewordError, renderFault } from './core/errors.ts';
import { nearest } from './core/nearest.ts';
import { type Environment, environment } from './environment.ts';
import { observeFile } from './files/observe-file.ts';
import { byName } from './schemas/by-name.ts';
import { faultAt, faultsIn, inOrder, sentence } from './schemas/check.ts';
import { type Document, isMap, openDocument } from './schemas/document.ts';
import { choices, entryOf, names, number, onOff, path, type Setting, word } from './schemas/setting.ts';
import { text } from './schemas/words.ts';

export const SECTIONS = {
  context: {
    recentSec: number(
      { min: 1, max: 604_800 },
      { fallback: 180, meaning: 'Seconds for which a note that was touched counts as a hotspot.' },
    ),
    tasks: path('The task file; without it the first of the usual places.'),
    notes: path('The folder of notes; without it the first of the usual places.'),
    policy: path('The policy file; without it the first of the usual places.'),
  },
  history: {
    size: number({ min: 3, max: 5 }, { fallback: 5, meaning: 'Finished tasks that each prompt shows.' }),
    maxBlockers: number(
      { min: 1, max: 100 },
      { fallback: 10, meaning: 'Blocked tasks that each prompt shows; the rest are counted.' },
    ),
  },
  handover: {
    enabled: onOff({
      fallback: true,
      meaning: 'Whether retries, agent switches and reviews are told what went before; a task can say otherwise.',
      variable: 'ENABLE_PRE_CONTEXT_INJECTION',
    }),
    maxLines: number(
      { min: 4, max: 10 },
      { fallback: 10, meaning: 'Lines a hand-over may have.', variable: 'PRE_CONTEXT_MAX_LINES' },
    ),
    types: choices(['circuit_breaker', 'retry', 'helper'], {
      fallback: ['circuit_breaker', 'retry', 'helper'],
      meaning: 'The occasions that get a hand-over: an agent switch, a retry, a review.',
      variable: 'PRE_CONTEXT_TYPES',
    }),
    helperMaxAttempts: number(
      { min: 1, max: 10 },
      { fallback: 2, meaning: 'Past attempts that a review is told of.', variable: 'HELPER_CONTEXT_MAX_ATTEMPTS' },
    ),
    maxFiles: number(
      { min: 1, max: 10 },
      { fallback: 3, meaning: 'Files named in one line of a hand-over.', variable: 'PRE_CONTEXT_MAX_FILES' },
    ),
  },
  startup: {
    budgetChars: number(
      { min: 500, max: 100_000 },
      { fallback: 6000, meaning: 'Characters of context a session is given at its start.' },
    ),
    maxHits: number({ min: 0, max: 20 }, { fallback: 5, meaning: 'Search results in the startup context.' }),
  },
  search: {
    maxFileBytes: number(
      { min: 1024, max: 16_777_216 },
      { fallback: 524_288, meaning: 'Bytes above which a file is left out of the index.' },
    ),
    maxHits: number({ min: 1, max: 100 }, { fallback: 5, meaning: 'Files that a search answers.' }),
  },
  state: {
    dump: onOff({ fallback: false, meaning: 'Whether .foreword/session-state.json is kept for other tools to read.' }),
  },
  templates: {
    engineer: path('The prompt for work on a task; without it the built-in one.'),
    reviewer: path('The prompt for reviewing a change; without it the built-in one.'),
    helper: path('The prompt for the agent that verifies; without it the built-in one.'),
  },
  redact: {
    variables: names({ fallback: [], meaning: 'Further environment variables whose values are secret.' }),
  },
} as const;

/** Settings that stand by themselves. `project` has the folder's name as its default. */
export const PLAIN = {
  project: word({
    fallback: undefined,
    meaning: 'The name of the project in prompts; without it the name of the folder.',
  }),
  store: word({
    fallback: undefined,
    meaning: 'Where records are kept: a file, or redis://…; without it .foreword/foreword.db.',
  }),
} as const;

type Sections = typeof SECTIONS;
type ValueOf<S> = S extends Setting<infer T> ? T : never;

export type Config = {
  readonly [S in keyof Sections]: { readonly [K in keyof Sections[S]]: ValueOf<Sections[S][K]> };
} & { readonly project: string; readonly store: string | undefined };

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
  /** By the name of the setting; text is read as in a variable, undefined counts as not given. */
  readonly flags?: Readonly<Partial<Record<SettingName, unknown>>> | undefined;
  /** The process's own when absent. */
  readonly env?: Environment | undefined;
  /** The file given by --config, relative to the root or absolute; it must exist. */
  readonly file?: string | undefined;
}

export interface LoadedConfig {
  readonly config: Config;
  readonly origins: Readonly<Record<string, Origin>>;
}

/** Throws `bad-config` with every fault at once. */
export function loadConfig(sources: ConfigSources): LoadedConfig {
  const { faults, ...loaded } = readConfig(sources);
  const [first] = faults;
  if (first === undefined) return loaded;
  const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`;
  throw new ForewordError('bad-config', `The configuration has ${count}. ${renderFault(first)}`, {
    hint: 'Mend each setting named, or remove it to have its default.',
    faults,
  });
}

/** For hooks: never throws. A file with any fault is left out whole, a wrong variable or flag by itself. */
export function readConfig(sources: ConfigSources): LoadedConfig & { readonly faults: readonly Fault[] } {
  const env = sources.env ?? environment();
  const file = readFile(sources);
  const faults: Fault[] = [...file.faults, ...misspelt(env)];
  const origins: Record<string, Origin> = {};
  const config: Record<string, unknown> = {};
  for (const [name, setting] of settings()) {
    const origin = fromFlag(name, setting, sources.flags?.[name], faults) ??
      fromVariable(name, setting, env, faults) ??
      fromFile(name, file) ?? { value: defaultOf(name, setting, sources.root), from: 'default' };
    origins[name] = origin;
    put(config, name, origin.value);
  }
  return { config: config as Config, origins, faults };
}

/** Every setting by its name, in the order of the page. */
export function settings(): readonly (readonly [SettingName, Setting<unknown>])[] {
  const plain = Object.entries(PLAIN);
  const inSections = Object.entries(SECTIONS).flatMap(([section, all]) =>
    Object.entries(all).map(([key, setting]) => [`${section}.${key}`, setting] as const),
  );
  return [...plain, ...inSections] as readonly (readonly [SettingName, Setting<unknown>])[];
}

/** FOREWORD_CONTEXT_RECENT_SEC for `context.recentSec`. */
export function variableOf(name: string): string {
  return `FOREWORD_${name.replaceAll('.', '_').replace(/[A-Z]/g, '_$&').toUpperCase()}`;
}

/** The schema of the file; made on demand, since most commands find no file. @internal */
export function configSchema() {
  const sections = Object.entries(SECTIONS).map(([name, all]) => {
    const entries = Object.fromEntries(Object.entries(all).map(([key, setting]) => [key, entryOf(setting)]));
    return [name, v.optional(v.strictObject(entries, `a map with ${Object.keys(all).join(', ')}`))];
  });
  const entries = { $schema: v.optional(text()), project: entryOf(PLAIN.project), ...Object.fromEntries(sections) };
  return v.pipe(v.strictObject(entries, 'a map of settings'), v.title('foreword configuration'));
}

const PLACES = ['.foreword/config.yaml', '.foreword/config.yml', '.foreword/config.json'];

interface FileSettings {
  readonly from: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly faults: readonly Fault[];
}

function readFile({ root, file }: ConfigSources): FileSettings {
  const parse = byName((format, content, where) => openDocument(format, content, where), ['yaml', 'json']);
  const observed = observeFile(root, { path: file, places: PLACES }, parse);
  if (observed.kind === 'absent') return { from: '', value: {}, faults: [] };
  if (observed.kind === 'unavailable') return { from: observed.from, value: {}, faults: observed.faults };
  const document = { ...observed.value, value: observed.value.value ?? {} };
  const faults = fileFaults(document, file === undefined ? root : undefined);
  const value = faults.length === 0 && isMap(document.value) ? document.value : {};
  return { from: observed.from, value, faults };
}

/** `root` is given for a file that came with the repository: it may name no place outside. */
function fileFaults(document: Document, root: string | undefined): readonly Fault[] {
  const { value } = document;
  if (!isMap(value)) return faultsIn(configSchema(), document);
  const { store, ...rest } = value;
  const faults = [...faultsIn(configSchema(), { ...document, value: rest })];
  if (store !== undefined && store !== null) {
    const message = `A file must not choose where data goes; use --store or ${variableOf('store')}.`;
    faults.push(faultAt(document, ['store'], message, 'key'));
  }
  for (const [name, setting] of root === undefined ? [] : settings()) {
    const given = get(rest, name);
    if (setting.isPath && typeof given === 'string' && isOutside(root ?? '', given))
      faults.push(faultAt(document, name.split('.'), sentence(given, 'a path inside the project')));
  }
  return inOrder(faults);
}

function isOutside(root: string, given: string): boolean {
  const name = relative(resolve(root), resolve(root, given));
  return isAbsolute(given) || name === '..' || /^\.\.[\\/]/.test(name) || isAbsolute(name);
}

function fromFile(name: SettingName, file: FileSettings): Origin | undefined {
  const value = name === 'store' ? undefined : get(file.value, name);
  return value === undefined || value === null ? undefined : { value, from: file.from };
}

/** An empty variable counts as not set, as in a shell's ${NAME:-default}. */
function fromVariable(
  name: SettingName,
  setting: Setting<unknown>,
  env: Environment,
  faults: Fault[],
): Origin | undefined {
  for (const variable of [variableOf(name), ...(setting.variable === undefined ? [] : [setting.variable])]) {
    const written = env[variable]?.trim();
    if (written) return checked(setting, setting.fromText(written), variable, faults);
  }
  return undefined;
}

function fromFlag(name: SettingName, setting: Setting<unknown>, given: unknown, faults: Fault[]): Origin | undefined {
  if (given === undefined) return undefined;
  const flag = `--${(name.split('.').at(-1) ?? '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return checked(setting, typeof given === 'string' ? setting.fromText(given) : given, flag, faults);
}

function checked(setting: Setting<unknown>, value: unknown, from: string, faults: Fault[]): Origin | undefined {
  const found = faultsIn(setting.schema, { value, where: from, lineOf: () => undefined, keyLineOf: () => undefined });
  faults.push(...found);
  return found.length === 0 ? { value, from } : undefined;
}

function misspelt(env: Environment): readonly Fault[] {
  const known = settings().map(([name]) => variableOf(name));
  return Object.keys(env).flatMap((where): readonly Fault[] => {
    if (!where.startsWith('FOREWORD_') || known.includes(where)) return [];
    const meant = nearest(where, known);
    return meant === undefined ? [] : [{ where, path: '', message: `No such setting; did you mean ${meant}?` }];
  });
}

function defaultOf(name: SettingName, setting: Setting<unknown>, root: string): unknown {
  return name === 'project' ? basename(resolve(root)) || 'project' : setting.fallback;
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
