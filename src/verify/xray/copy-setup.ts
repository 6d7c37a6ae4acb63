// Copies a person's set-up of an agent into a scratch home: without credentials, transcripts and keys, and with our recorder around every
// hook and server. Nothing of the original is changed. What is too large to copy, or is a program, is named to be mounted read-only.

import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import type { SetupFacts, SetupFile } from '../../kernel/agent-setup.ts';
import { mapStrings } from '../../kernel/map-strings.ts';
import type { Environment } from '../../system/environment.ts';
import { replaceFile } from '../../system/files/atomic.ts';
import { sha256 } from '../../system/sha256.ts';
import { type Fields, fieldsOf, isFields } from '../model/json.ts';
import { isAgentsOwn } from './agent-folders.ts';
import { inPlace, type ModulePorts, projectModules, settingsWithModules } from './copy-modules.ts';
import { foldersAbove, isBelow, isIn, isPrivate, realOf, shortened, statOf } from './home-paths.ts';
import { hasPairs } from './key-names.ts';
import { listedFiles } from './listed-files.ts';
import { isModule } from './modules.ts';
import { isKeyFile } from './programs-below.ts';
import type { KnownText, XrayHook, XrayOwner, XrayServer } from './recording.ts';
import { rewriteSettings, serverName, textsAt } from './rewrite-settings.ts';
import { settingsRedactor, withoutKeys } from './without-keys.ts';

/** Readers and writers of settings files; app/ passes them in. */
export interface SettingsFormats {
  /** `undefined` when the text is not valid. The extension decides the format. */
  parse(text: string, file: string): unknown;
  print(value: Fields, file: string): string;
}

export interface CopyOptions {
  readonly facts: SetupFacts;
  readonly home: string;
  /** The root of the project, and where in it the session is. */
  readonly project: string;
  readonly cwd: string;
  readonly env: Environment;
  /** The scratch home, which exists and is empty. */
  readonly into: string;
  /** Where modules in the place of plug-ins leave their records. */
  readonly records?: string;
  /** Only what changes the agent's own words. */
  readonly isBaseline: boolean;
  /** The words that run our recorder for a hook or a server, before its id. */
  recorder(kind: 'hook' | 'server'): readonly [string, ...string[]];
  readonly formats: SettingsFormats;
}

export interface CopiedSetup {
  readonly hooks: readonly XrayHook[];
  readonly servers: readonly XrayServer[];
  readonly texts: readonly KnownText[];
  /** Folders and files of the home to mount read-only at the same path. */
  readonly mounted: readonly string[];
  /** Files of the project as the copy has them, by path below its root. */
  readonly projectFiles: Readonly<Record<string, string>>;
  /** Files of the project that are not there in the session without the set-up. */
  readonly hidden: readonly string[];
  readonly files: number;
  /** Paths of the home that settings name, besides commands: a plug-in may be loaded from there. */
  readonly named: readonly string[];
}

/** Never copied file by file: they hold programs. */
const MOUNTED_NAMES = new Set(['node_modules', '.git', '.venv', 'venv', 'marketplaces']);
const LARGEST_COPY = 8 * 1024 * 1024;
const LARGEST_TEXT = 400_000;
const MOST_TEXTS = 6_000_000;
const MOST_FILES = 30_000;
const READ_BY_MODELS = new Set(['.md', '.mdc', '.txt']);
const SETTINGS = new Set(['.json', '.jsonc', '.toml']);
const DEEPEST_IMPORT = 5;
/** A path with our name in it may be anybody's. */
const OURS = { hook: /(?:^|[\s/'"])foreword-hook(?=$|[\s'"])/, server: /^foreword$/ };

export function copySetup(options: CopyOptions): CopiedSetup {
  return new SetupCopy(options).copied();
}

class SetupCopy {
  readonly #options: CopyOptions;
  readonly #hooks: XrayHook[] = [];
  readonly #servers: XrayServer[] = [];
  readonly #texts = new Map<string, KnownText>();
  readonly #mounted = new Set<string>();
  readonly #projectFiles: Record<string, string> = {};
  readonly #hidden: string[] = [];
  /** The folders around the one that is copied: a link to one of them would never end. */
  readonly #open = new Set<string>();
  readonly #enabled: (path: string) => boolean;
  readonly #named = new Set<string>();
  readonly #roots: string[] = [];
  readonly #modules: ModulePorts | undefined;
  #files = 0;
  #characters = 0;

  constructor(options: CopyOptions) {
    this.#options = options;
    this.#enabled = this.#plugInRule();
    const { facts, records } = options;
    if (facts.modules === undefined || records === undefined) return;
    const found: ModulePorts['found'] = (hook) => {
      const id = `h${this.#hooks.length}`;
      this.#hooks.push({ id, ...hook });
      return id;
    };
    const [mount, read] = [(path: string) => this.#mounted.add(path), (code: string) => this.#named.add(code)];
    this.#modules = { ...options, modules: facts.modules, records, found, mount, read };
  }

  copied(): CopiedSetup {
    const { facts, isBaseline } = this.#options;
    this.#copy(this.#folder(), facts.folder.path);
    for (const path of facts.beside ?? []) this.#copy(join(this.#options.home, path), path);
    if (!isBaseline) this.#sources();
    this.#project();
    if (!isBaseline) this.#instructions();
    return {
      hooks: this.#hooks,
      servers: this.#servers,
      texts: [...this.#texts.values()],
      mounted: [...this.#mounted],
      projectFiles: this.#projectFiles,
      hidden: this.#hidden,
      files: this.#files,
      named: [...this.#named],
    };
  }

  /** Where the agent's folder is, which a variable may have moved. */
  #folder(): string {
    const { facts, home, env } = this.#options;
    const { path, variable, above } = facts.folder;
    const [moved, over] = [variable, above].map((name) => (name === undefined ? undefined : env[name]));
    if (moved?.startsWith('/')) return moved;
    return over?.startsWith('/') ? join(over, basename(path)) : join(home, path);
  }

  /** Folders of plug-ins that the agent loads from where they are: their hooks need the recorder too. */
  #sources(): void {
    const { facts, home } = this.#options;
    for (const folder of [...this.#named]) {
      const path = relative(home, folder);
      const isCopied = path === facts.folder.path || isBelow(path, facts.folder.path);
      if (isCopied || statOf(folder)?.isDirectory() !== true) continue;
      this.#roots.push(path);
      this.#copy(folder, path);
      this.#named.delete(folder);
    }
  }

  #copy(from: string, path: string): void {
    const { facts, into, isBaseline } = this.#options;
    const within = relative(facts.folder.path, path);
    if (facts.left.includes(path) || facts.left.includes(within) || this.#files > MOST_FILES) return;
    const stat = statOf(from);
    if (stat === undefined || !this.#enabled(`${path}/`) || !this.#isAllowed(from)) return;
    if (stat.isFile()) this.#copyFile(from, path, stat.size);
    if (!stat.isDirectory()) return;
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (MOUNTED_NAMES.has(name)) {
      if (!isBaseline) this.#mounted.add(path);
      return;
    }
    const real = realOf(from);
    if (this.#open.has(real)) return;
    this.#open.add(real);
    mkdirSync(join(into, path), { recursive: true });
    for (const entry of readdirSync(from)) this.#copy(join(from, entry), join(path, entry));
    this.#open.delete(real);
  }

  /** The agent's own folder may be in one that is private otherwise. Of other agents' folders no copy has more than of its own. */
  #isAllowed(from: string): boolean {
    const { home, facts } = this.#options;
    const real = realOf(from);
    if (isIn(real, realOf(this.#folder()))) return true;
    if (isPrivate(real, home)) return false;
    return (
      (facts.beside ?? []).some((path) => isIn(real, realOf(join(home, path)))) || !isAgentsOwn(relative(home, real))
    );
  }

  #copyFile(from: string, path: string, size: number): void {
    const { into, env, isBaseline } = this.#options;
    const target = join(into, path);
    const kind = extname(path) === '' ? path.slice(path.lastIndexOf('/') + 1) : extname(path);
    if (size > LARGEST_COPY && !SETTINGS.has(kind)) {
      if (!isBaseline && !hasPairs(basename(path))) this.#mounted.add(path);
      return;
    }
    if (SETTINGS.has(kind)) {
      const text = this.#settings(readFileSync(from, 'utf8'), { in: 'home', path });
      if (text === undefined) return;
      mkdirSync(dirname(target), { recursive: true });
      replaceFile(target, text, { mode: 0o600 });
    } else if (isBaseline || (isKeyFile(from) && !hasPairs(basename(path)))) return;
    else if (this.#modules !== undefined && isModule(path, this.#modules.modules)) {
      const files = inPlace(path, readFileSync(from, 'utf8'), { ...this.#modules, shown: `~/${path}` });
      mkdirSync(dirname(target), { recursive: true });
      for (const [name, text] of Object.entries(files)) replaceFile(join(into, name), text);
    } else {
      mkdirSync(dirname(target), { recursive: true });
      if (hasPairs(basename(path)))
        replaceFile(target, withoutKeys(readFileSync(from, 'utf8'), path, env), { mode: 0o600 });
      else copyFileSync(from, target);
      if (READ_BY_MODELS.has(kind)) this.#know(readFileSync(from, 'utf8'), this.#ownerOf(path));
    }
    this.#files += 1;
    const { mode } = statSync(from);
    if ((mode & 0o111) !== 0) chmodSync(target, 0o755);
  }

  /** The text of a settings file for the copy; `undefined` when it does not belong there. */
  #settings(text: string, where: Pick<SetupFile, 'in' | 'path'>): string | undefined {
    const { facts, formats, home, project, env, isBaseline } = this.#options;
    const value = formats.parse(text, where.path);
    if (!isFields(value)) return isBaseline ? undefined : withoutKeys(text, where.path, env);
    const chosen = facts.settings(value, { ...where, project, isBaseline });
    if (chosen === undefined) return undefined;
    // Before anything reads it: a command is shown to the person, and quoted in the copy.
    const kept = mapStrings(chosen, settingsRedactor(value, env));
    for (const [key, own] of isBaseline ? [] : textsAt(kept, facts.textKeys ?? []))
      this.#know(own, { kind: 'instructions', name: `${key} in ${this.#shown(where)}` });
    if (!isBaseline) this.#listed(kept, where);
    const skipped = isBaseline ? new Map<string, string>() : this.#skipped(value, where);
    mapStrings(kept, (one) => {
      if (isBelow(one, home)) this.#named.add(one);
      return one;
    });
    const changed = isBaseline ? kept : fieldsOf(this.#recorded(this.#withModules(kept, where), where, skipped));
    return formats.print(changed, where.path);
  }

  /** Instruction files that settings name. */
  #listed(kept: Fields, where: Pick<SetupFile, 'in' | 'path'>): void {
    const { facts, home, project } = this.#options;
    const folder = dirname(join(where.in === 'home' ? home : project, where.path));
    for (const key of facts.fileKeys ?? [])
      for (const file of listedFiles(kept[key], [folder, project], home)) this.#instruction(file);
  }

  #withModules(kept: Fields, where: Pick<SetupFile, 'in' | 'path'>): Fields {
    const { home, project } = this.#options;
    if (this.#modules === undefined) return kept;
    const folder = dirname(join(where.in === 'home' ? home : project, where.path));
    return settingsWithModules(kept, { folder, file: this.#shown(where) }, this.#modules);
  }

  /** Hooks that the agent does not run, by place. */
  #skipped(value: Fields, { in: place, path }: Pick<SetupFile, 'in' | 'path'>): ReadonlyMap<string, string> {
    const { facts, project, home } = this.#options;
    const { trust } = facts;
    if (trust === undefined || !isFields(value.hooks) || this.#plugInOf(path) !== undefined) return new Map();
    const within = relative(facts.folder.path, path);
    const files = place === 'project' ? [join(project, path)] : [join(this.#folder(), within), join(home, path)];
    const names = [...new Set(files.flatMap((file) => [file, realOf(file)]))];
    return trust.skipped(value, { names, kept: this.#ownSettings(trust.file), sha256 });
  }

  /** A settings file of the home, given with the agent's folder under its usual name. */
  #ownSettings(path: string): Fields {
    const { facts, formats } = this.#options;
    const file = join(this.#folder(), relative(facts.folder.path, path));
    return fieldsOf(existsSync(file) ? formats.parse(readFileSync(file, 'utf8'), file) : undefined);
  }

  #recorded(value: Fields, where: Pick<SetupFile, 'in' | 'path'>, skipped: ReadonlyMap<string, string>): unknown {
    const { facts, recorder } = this.#options;
    const file = this.#shown(where);
    const plugIn = where.in === 'home' ? this.#plugInOf(where.path) : undefined;
    const of = (kind: 'hook' | 'server', name: string): XrayOwner => {
      const own = OURS[kind].test(name) ? 'foreword' : kind;
      return { kind: own, name, ...(plugIn === undefined ? {} : { plugIn }) };
    };
    return rewriteSettings(value, facts.serverKeys, {
      hook: ({ event, command, place, isAsync }) => {
        const id = `h${this.#hooks.length}`;
        const why = skipped.get(place);
        const more = { ...(isAsync === true ? { isAsync } : {}), ...(why === undefined ? {} : { skipped: why }) };
        this.#hooks.push({ id, event, command, file, owner: of('hook', command), ...more });
        return why === undefined ? [...recorder('hook'), id] : undefined;
      },
      server: ({ name: own, command, isRemote }) => {
        const name = serverName(own, plugIn, facts);
        const more = isRemote ? { notMeasured: 'it is reached over the network' } : {};
        // A plug-in may be there twice, where it came from and where the agent keeps it.
        const isKnown = plugIn !== undefined && this.#servers.some((one) => one.name === name);
        if (!isKnown) this.#servers.push({ name, command, file, owner: of('server', own), ...more });
        return isRemote ? undefined : [...recorder('server'), name];
      },
    });
  }

  #project(): void {
    const { facts, project, isBaseline } = this.#options;
    for (const path of facts.projectSettings.flatMap((one) => filesOf(project, one))) {
      const file = join(project, path);
      if (!existsSync(file)) continue;
      const text = this.#settings(readFileSync(file, 'utf8'), { in: 'project', path });
      if (text === undefined) this.#hidden.push(path);
      else this.#projectFiles[path] = text;
    }
    if (!isBaseline && this.#modules !== undefined) Object.assign(this.#projectFiles, projectModules(this.#modules));
    if (isBaseline) this.#hidden.push(...facts.projectInstructions.filter((path) => existsSync(join(project, path))));
  }

  /** Those of the project and of the folders above it, and what they import. */
  #instructions(): void {
    const { facts, home, cwd } = this.#options;
    for (const folder of foldersAbove(cwd))
      for (const path of facts.projectInstructions) this.#instruction(join(folder, path));
    for (const path of facts.homeInstructions) this.#instruction(join(home, path));
  }

  #instruction(file: string, depth = 0): void {
    const stat = this.#isAllowed(file) ? statOf(file) : undefined;
    if (stat?.isDirectory())
      for (const entry of readdirSync(file, { withFileTypes: true }))
        if (entry.name.endsWith('.md') || (entry.isDirectory() && !MOUNTED_NAMES.has(entry.name)))
          this.#instruction(join(file, entry.name));
    if (stat === undefined || !stat.isFile() || stat.size > LARGEST_TEXT || depth > DEEPEST_IMPORT) return;
    const { facts, home, project, into } = this.#options;
    const text = readFileSync(file, 'utf8');
    this.#know(text, { kind: 'instructions', name: shortened(file, home, project) });
    const copy = join(into, relative(home, file));
    if (isBelow(file, home) && !isBelow(file, project) && !existsSync(copy)) {
      mkdirSync(dirname(copy), { recursive: true });
      copyFileSync(file, copy);
    }
    if (facts.imports === undefined) return;
    for (const [, path = ''] of text.matchAll(facts.imports))
      this.#instruction(path.startsWith('~/') ? join(home, path.slice(2)) : resolve(dirname(file), path), depth + 1);
  }

  #know(text: string, owner: XrayOwner): void {
    if (text.length > LARGEST_TEXT || this.#characters + text.length > MOST_TEXTS) return;
    const key = `${owner.kind} ${owner.name} ${text}`;
    if (this.#texts.has(key)) return;
    this.#characters += text.length;
    this.#texts.set(key, { owner, text });
  }

  #ownerOf(path: string): XrayOwner {
    const plugIn = this.#plugInOf(path);
    if (plugIn !== undefined) return { kind: 'plug-in', name: plugIn };
    return { kind: 'instructions', name: `~/${path}` };
  }

  #plugInOf(path: string): string | undefined {
    const known = this.#options.facts.plugIn?.path.exec(path)?.groups?.name;
    const root = this.#roots.find((one) => isBelow(path, one));
    if (known !== undefined || root === undefined) return known;
    const [first, ...rest] = relative(root, path)
      .split('/')
      .filter((name) => name !== 'plugins');
    return rest.length === 0 ? basename(root) : first;
  }

  /** Files of a plug-in that is switched off stay where they are. */
  #plugInRule(): (path: string) => boolean {
    const { facts, isBaseline } = this.#options;
    const { plugIn } = facts;
    const { enabled } = plugIn ?? {};
    if (plugIn === undefined) return () => true;
    if (isBaseline) return (path) => !plugIn.path.test(path);
    if (enabled === undefined) return () => true;
    const switched = fieldsOf(this.#ownSettings(enabled.file)[enabled.key]);
    return (path) => {
      const groups = plugIn.path.exec(path)?.groups;
      if (groups === undefined) return true;
      const entry = switched[enabled.entry.replaceAll(/\{(\w+)\}/g, (_, name: string) => groups[name] ?? '')];
      return entry === true || (isFields(entry) && entry.enabled !== false);
    };
  }

  #shown({ in: place, path }: Pick<SetupFile, 'in' | 'path'>): string {
    return place === 'home' ? `~/${path}` : path;
  }
}

/** Itself, or the settings files in it when it ends in `/`. */
function filesOf(project: string, path: string): readonly string[] {
  if (!path.endsWith('/')) return [path];
  const names = statOf(join(project, path))?.isDirectory() === true ? readdirSync(join(project, path)).sort() : [];
  return names.filter((name) => SETTINGS.has(extname(name))).map((name) => `${path}${name}`);
}
