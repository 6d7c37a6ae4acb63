// Setting: one entry of the configuration as data. The way its variable is read, its line on the configuration page, its
// schema (schemas/setting.ts) and its entry in the JSON Schema all come from here. No package is loaded: hooks read it too.

export interface Setting<T> {
  /** @internal */
  readonly rule: SettingRule;
  /** undefined: not set. */
  readonly defaultValue: T;
  /** The default, when it depends on the other settings of the section, which it gets. */
  readonly defaultFrom?: (section: Readonly<Record<string, unknown>>) => T;
  /** What is allowed, as a phrase. */
  readonly allowed: string;
  /** One sentence. */
  readonly description: string;
  /** Turns the text of a variable or flag into the value; text that it cannot turn is returned, and the check refuses it. */
  readonly fromText: (written: string) => unknown;
  /** The older name of this setting's variable; the FOREWORD_ one wins. */
  readonly variable?: string;
  /** A path is taken from a repository's own file only if it stays inside the project. */
  readonly isPath?: boolean;
  /** A file or a URL; config/load.ts makes a relative path absolute. */
  readonly isLocated?: boolean;
  /** Too large for an environment variable. */
  readonly isFileOnly?: boolean;
  /** Set by a flag or an environment variable only, never by a file: a repository must not decide it. */
  readonly isPersonal?: boolean;
}

/** What a value must be. */
export type SettingRule =
  | { readonly kind: 'whole'; readonly min: number; readonly max: number }
  | { readonly kind: 'share' }
  | { readonly kind: 'flag' }
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  | { readonly kind: 'line'; readonly maxChars: number }
  | { readonly kind: 'path' }
  /** A path that begins at the project's root and stays below it. */
  | { readonly kind: 'inner-path' }
  | { readonly kind: 'list'; readonly item: SettingRule; readonly min?: number; readonly max?: number }
  /** Described by a valibot schema of its own, which checks it with its lines. An object here: the package's users do not have
   *  valibot's types. */
  | { readonly kind: 'own'; readonly schema: object };

interface Basics<T> {
  readonly defaultValue: T;
  readonly description: string;
  readonly defaultFrom?: (section: Readonly<Record<string, unknown>>) => T;
  readonly variable?: string;
}

export function number(range: { readonly min: number; readonly max: number }, basics: Basics<number>): Setting<number> {
  const fromText = (written: string): unknown => (/^[+-]?\d{1,15}$/.test(written) ? Number(written) : written);
  const { min, max } = range;
  return make({ kind: 'whole', min, max }, `${min} to ${max}`, basics, fromText);
}

/** A share of a whole. */
export function share(basics: Basics<number>): Setting<number> {
  return make({ kind: 'share' }, '0 to 1', basics, (written) =>
    /^(?:[01]|0?\.\d{1,9}|1\.0+)$/.test(written) ? Number(written) : written,
  );
}

export function onOff(basics: Basics<boolean>): Setting<boolean> {
  const words: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false };
  const fromText = (written: string): unknown => {
    const word = written.toLowerCase();
    return Object.hasOwn(words, word) ? words[word] : written;
  };
  return make({ kind: 'flag' }, 'true, false', basics, fromText);
}

export function choices<const T extends readonly string[]>(
  options: T,
  basics: Basics<readonly T[number][]>,
): Setting<readonly T[number][]> {
  const item = { kind: 'choice', options } as const;
  return make({ kind: 'list', item }, `a list of ${options.join(', ')}`, basics, items);
}

export function choice<const T extends readonly string[]>(options: T, basics: Basics<T[number]>): Setting<T[number]> {
  return make({ kind: 'choice', options }, options.join(', '), basics, same);
}

export function names(basics: Basics<readonly string[]>): Setting<readonly string[]> {
  return make({ kind: 'list', item: { kind: 'line', maxChars: 200 } }, 'a list of names', basics, items);
}

export function numbers(
  range: { readonly min: number; readonly max: number; readonly most: number },
  basics: Basics<readonly number[]>,
): Setting<readonly number[]> {
  const { min, max, most } = range;
  const rule = { kind: 'list', item: { kind: 'whole', min, max }, min: 1, max: most } as const;
  return make(rule, `1 to ${most} numbers, each ${min} to ${max}`, basics, (written) =>
    items(written).map((item) => (/^\d{1,15}$/.test(item) ? Number(item) : item)),
  );
}

/** Regular expressions, on one line each; the code that uses them checks whether the engine accepts them. */
export function patterns(basics: Basics<readonly string[]>): Setting<readonly string[]> {
  const rule = { kind: 'list', item: { kind: 'line', maxChars: 2000 } } as const;
  return { ...make(rule, 'a list of regular expressions', basics, same), isFileOnly: true };
}

export function path(description: string): Setting<string | undefined> {
  return { ...make({ kind: 'path' }, 'a path', { defaultValue: undefined, description }, same), isPath: true };
}

export function paths(basics: Basics<readonly string[]>): Setting<readonly string[]> {
  return make({ kind: 'list', item: { kind: 'path' } }, 'a list of paths', basics, items);
}

/** Paths that begin at the project's root and stay below it. */
export function innerPaths(basics: Basics<readonly string[]>): Setting<readonly string[]> {
  const allowed = 'a list of paths below the project, without .. and .git';
  return make({ kind: 'list', item: { kind: 'inner-path' } }, allowed, basics, items);
}

/** A program and its arguments. */
export function command(description: string): Setting<readonly string[] | undefined> {
  const rule = { kind: 'list', item: { kind: 'line', maxChars: 4096 }, min: 1, max: 100 } as const;
  return make(rule, 'a program and its arguments, as a list', { defaultValue: undefined, description }, items);
}

/** @internal */
export function map<T>(schema: object, allowed: string, basics: Basics<T>): Setting<T> {
  return { ...make({ kind: 'own', schema }, allowed, basics, same), isFileOnly: true };
}

export function word(basics: Basics<string | undefined>): Setting<string | undefined> {
  return make({ kind: 'line', maxChars: 200 }, 'one line of text', basics, same);
}

/** Only a flag or an environment variable sets it. */
export function personal<T>(setting: Setting<T>): Setting<T> {
  return { ...setting, isPersonal: true };
}

/** A file or a URL. */
export function location(description: string): Setting<string | undefined> {
  const basics = { defaultValue: undefined, description };
  return { ...make({ kind: 'line', maxChars: 200 }, 'a path or a URL', basics, same), isLocated: true };
}

function make<T>(
  rule: SettingRule,
  allowed: string,
  basics: Basics<T>,
  fromText: (written: string) => unknown,
): Setting<T> {
  return { rule, allowed, fromText, ...basics };
}

function same(written: string): string {
  return written;
}

function items(written: string): string[] {
  return written.split(',').flatMap((item) => (item.trim() === '' ? [] : [item.trim()]));
}

/** The variable's name: FOREWORD_CONTEXT_RECENT_SEC for `context.recentSec`. */
export function variableOf(name: string): string {
  return `FOREWORD_${name.replaceAll('.', '_').replace(/[A-Z]/g, '_$&').toUpperCase()}`;
}

/** The name and text of the first of the setting's variables that is set. An empty one counts as not set, as in a shell's
 *  ${NAME:-default}. */
export function writtenIn(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  setting: Setting<unknown>,
): { readonly variable: string; readonly value: unknown } | undefined {
  for (const variable of [variableOf(name), ...(setting.variable === undefined ? [] : [setting.variable])]) {
    const written = env[variable]?.trim();
    if (written) return { variable, value: setting.fromText(written) };
  }
  return undefined;
}

/** `section` has the effective values of the settings before it. */
export function defaultOf<T>(setting: Setting<T>, section: Readonly<Record<string, unknown>>): T {
  return setting.defaultFrom === undefined ? setting.defaultValue : setting.defaultFrom(section);
}

/** Where a project's configuration is looked for, in this order. */
export const CONFIG_PLACES: readonly string[] = [
  '.foreword/config.yaml',
  '.foreword/config.yml',
  '.foreword/config.json',
];
